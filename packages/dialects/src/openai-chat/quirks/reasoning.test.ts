import { expect, it } from 'vitest';
import { EncodeReport } from '../../encode-report.ts';
import type { JsonObject } from '../../json/parse-object.ts';
import { fitRequest } from './fit-request.ts';
import { NO_QUIRKS, type ProviderQuirks } from './provider-quirks.ts';

function fit(body: JsonObject, quirks: Partial<ProviderQuirks>) {
  const report = new EncodeReport();
  const target = { quirks: { ...NO_QUIRKS, ...quirks }, model: 'm' };
  return { body: fitRequest(body, target, report), dropped: report.dropped };
}

it.each([
  ['reasoning_effort', { reasoning: { effort: 'low' } }, { reasoning_effort: 'low' }, []],
  ['reasoning_effort', { reasoning: { max_tokens: 9000 } }, { reasoning_effort: 'high' }, []],
  ['reasoning_effort', { thinking: { type: 'disabled' } }, {}, ['thinking']],
  [
    'reasoning_effort',
    { thinking: { type: 'enabled', budget_tokens: 500 } },
    { reasoning_effort: 'low' },
    [],
  ],
  ['reasoning_effort', { reasoning: { effort: 'huge' } }, { reasoning: { effort: 'huge' } }, []],
  ['reasoning', { reasoning_effort: 'low' }, { reasoning: { effort: 'low' } }, []],
  ['reasoning', { reasoning: { exclude: true } }, { reasoning: { exclude: true } }, []],
  [
    'reasoning',
    { reasoning_effort: 'low', reasoning: { max_tokens: 9, exclude: true } },
    { reasoning: { effort: 'low', exclude: true } },
    [],
  ],
  ['reasoning.enabled', { reasoning: { enabled: false } }, { reasoning: { enabled: false } }, []],
  ['reasoning.enabled', { reasoning: { max_tokens: 500 } }, { reasoning_effort: 'low' }, []],
  ['reasoning.enabled', { thinking: { type: 'disabled' } }, { reasoning: { enabled: false } }, []],
  [
    'thinking',
    { thinking: { type: 'enabled', budget_tokens: 5 } },
    { thinking: { type: 'enabled', budget_tokens: 5 } },
    [],
  ],
  ['thinking', { reasoning: { enabled: true } }, { thinking: { type: 'enabled' } }, []],
  ['thinking', { reasoning: { enabled: false } }, { thinking: { type: 'disabled' } }, []],
  ['thinking', { reasoning: { enabled: true, effort: 'high' } }, { reasoning_effort: 'high' }, []],
  ['none', { reasoning_effort: 'low' }, {}, ['thinking']],
] as const)(
  'a reasoning setting for a provider that takes %s: %o becomes %o',
  (member, given, sent, dropped) => {
    expect(fit(given, { reasoningMember: member })).toEqual({ body: sent, dropped });
  },
);

const SIGNED = [
  { type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic-claude-v1', index: 0 },
];

it.each([
  ['none', { content: 'So', reasoning_content: 'Hm' }, { content: 'So' }],
  ['reasoning', { content: 'So', reasoning_content: 'Hm' }, { content: 'So', reasoning: 'Hm' }],
  [
    'reasoning_content',
    { content: null, reasoning_details: SIGNED },
    { content: null, reasoning_content: 'Hm' },
  ],
  ['reasoning_details', { content: 'So', reasoning: 'Hm' }, { content: 'So', reasoning: 'Hm' }],
  [
    'reasoning_details',
    { content: 'So', reasoning_content: 'Hm' },
    { content: 'So', reasoning_details: [{ ...SIGNED[0], signature: null }] },
  ],
  [
    'content',
    { content: 'So', reasoning: 'Hm' },
    {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
        { type: 'text', text: 'So' },
      ],
    },
  ],
  ['reasoning', { content: [{ type: 'thinking', thinking: 'Hm' }] }, { content: '', reasoning: 'Hm' }],
] as const)('earlier reasoning for a provider that takes %s: %o becomes %o', (field, given, sent) => {
  const written = fit({ messages: [{ role: 'assistant', ...given }] }, { reasoningField: field });
  expect(written.body).toEqual({ messages: [{ role: 'assistant', ...sent }] });
  expect(written.dropped).toEqual(field === 'none' ? ['thinking'] : []);
});
