import { expect, it } from 'vitest';
import { toCallerSetting } from './caller-param.ts';

it("a setting has the name of the caller's dialect, other members keep their own", () => {
  expect(toCallerSetting('openai-responses', 'max_tokens')).toBe('max_output_tokens');
  expect(toCallerSetting('anthropic-messages', 'stop')).toBe('stop_sequences');
  for (const name of ['toString', 'constructor', '__proto__', 'seed'])
    expect(toCallerSetting('openai-chat', name)).toBe(name);
});
