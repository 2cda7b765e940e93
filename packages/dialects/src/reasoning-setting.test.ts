import { expect, it } from 'vitest';
import { readReasoningSetting } from './reasoning-setting.ts';

it.each([
  ['on', { reasoning_effort: 'minimal' }],
  ['on', { reasoning: { effort: 'low' } }],
  ['on', { reasoning: { max_tokens: 2_000 } }],
  ['on', { thinking: { type: 'enabled', budget_tokens: 1_024 } }],
  ['on', { thinking: { type: 'adaptive' } }],
  ['on', { thinking_budget: -1 }],
  ['on', { chat_template_kwargs: { enable_thinking: true } }],
  ['on', { reasoning_effort: 'high', enable_thinking: false }],
  ['off', { reasoning_effort: 'none' }],
  ['off', { reasoning: { enabled: false } }],
  ['off', { thinking: { type: 'disabled' } }],
  ['off', { enable_thinking: false }],
  ['off', { thinking_budget: 0 }],
  [null, {}],
  [null, { reasoning: { exclude: true }, thinking: null, reasoning_effort: null }],
  [null, { reasoning: { summary: 'auto' } }],
])('reasoning is %s by %j', (setting, body) => {
  expect(readReasoningSetting(body)).toBe(setting);
});
