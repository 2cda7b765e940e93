import { describe, expect, it } from 'vitest';
import { decodeOpenAiResponsesRequest } from './decode-request.ts';
import { encodeOpenAiResponsesRequest } from './encode-request.ts';
import { openAiResponsesFieldTable } from './field-table.ts';

const BODY = {
  model: 'gpt-oss-120b',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
  stream: true,
  store: false,
  tools: [{ type: 'function', name: 'f', description: 'F', parameters: { type: 'object' }, strict: true }],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  text: { format: { type: 'json_object' }, verbosity: 'low' },
  max_output_tokens: 50,
  temperature: 1,
  top_p: 1,
  top_logprobs: 2,
  include: ['web_search_call.results', 'message.output_text.logprobs', 'reasoning.encrypted_content'],
  reasoning: { effort: 'low', summary: 'auto' },
  truncation: 'auto',
  max_tool_calls: 3,
  service_tier: 'flex',
  safety_identifier: 'u',
  metadata: { a: 'b' },
  prompt_cache_key: 'k',
};

describe('the table of fields', () => {
  const decoded = decodeOpenAiResponsesRequest(BODY);
  if (!decoded.ok) throw new Error(decoded.error.message);

  it('describes the encoder’s behavior for each field', () => {
    const encoded = encodeOpenAiResponsesRequest(decoded.value);
    expect(encoded).toEqual({ ok: true, body: BODY, dropped: [] });
    for (const [field, { handling, to }] of Object.entries(openAiResponsesFieldTable)) {
      if (field.startsWith('content.') || field === 'wantsStreamUsage') continue;
      if (handling === 'maps') expect(BODY).toHaveProperty(to ?? '');
      else expect(to).toBeNull();
    }
  });

  it('drops and refuses the fields that it lists', () => {
    const { sampling } = decoded.value;
    const encode = (change: Partial<typeof decoded.value>) =>
      encodeOpenAiResponsesRequest({ ...decoded.value, ...change });
    const numbers = { ...sampling, topK: 1, seed: 1, presencePenalty: 1, frequencyPenalty: 1 };
    const extra = { anything: 1 };
    const search = {
      dialect: 'anthropic-messages',
      name: 'web_search_20250305',
      value: { name: 'web_search' },
    };
    expect(encode({ hostedTools: [search] })).toMatchObject({ dropped: ['tools.web_search'] });
    expect(encode({ sampling: numbers, extra, endUser: 'u'.repeat(65) })).toMatchObject({
      dropped: ['anything', 'top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'user'],
    });
    const refused: [string, Partial<typeof decoded.value>][] = [
      ['n', { choices: 2 }],
      ['modalities', { modalities: ['text', 'audio'] }],
      ['logit_bias', { sampling: { ...sampling, logitBias: { 1: 1 } } }],
      ['web_search_options', { extra: { web_search_options: {} } }],
    ];
    for (const [param, change] of refused)
      expect(encode(change)).toMatchObject({ ok: false, error: { code: 'unsupported_parameter', param } });
  });
});
