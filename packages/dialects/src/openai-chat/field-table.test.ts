import type { CompletionRequest } from '@tollgate/core/completion/request';
import { describe, expect, it } from 'vitest';
import { decodeOpenAiChatRequest } from './decode-request.ts';
import { encodeOpenAiChatRequest } from './encode-request.ts';
import { openAiChatFieldTable } from './field-table.ts';

const BODY = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  stream: true,
  stream_options: { include_usage: true },
  tools: [{ type: 'function', function: { name: 'f' } }],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  response_format: { type: 'json_object' },
  max_completion_tokens: 5,
  stop: ['a'],
  temperature: 1,
  top_p: 1,
  top_k: 1,
  seed: 1,
  presence_penalty: 1,
  frequency_penalty: 1,
  logit_bias: { 1: 1 },
  reasoning_effort: 'low',
  n: 2,
  logprobs: true,
  top_logprobs: 2,
  modalities: ['text', 'audio'],
  verbosity: 'low',
  service_tier: 'flex',
  user: 'u',
  metadata: { a: 'b' },
  prompt_cache_key: 'k',
};

function decoded(): CompletionRequest {
  const request = decodeOpenAiChatRequest(BODY);
  if (!request.ok) throw new Error(request.error.message);
  return request.value;
}

describe('the table of fields', () => {
  it('describes the encoder’s behavior for each field', () => {
    const encoded = encodeOpenAiChatRequest(decoded());
    if (!encoded.ok) throw new Error(encoded.error.message);
    const { top_k: _dropped, ...written } = BODY;
    expect(encoded).toEqual({ ok: true, body: written, dropped: ['top_k'] });
    for (const [field, { handling, to }] of Object.entries(openAiChatFieldTable)) {
      if (field.startsWith('content.')) continue;
      if (handling === 'maps') expect(encoded.body).toHaveProperty(to ?? '');
      else expect(to).toBeNull();
    }
  });
});
