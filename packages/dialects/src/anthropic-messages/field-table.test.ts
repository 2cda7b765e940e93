import type { CompletionRequest } from '@tollgate/core/completion/request';
import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from './decode-request.ts';
import { encodeAnthropicRequest } from './encode-request.ts';
import { anthropicFieldTable } from './field-table.ts';

function requestWith(change: (request: CompletionRequest) => CompletionRequest): CompletionRequest {
  const body = { model: 'claude-sonnet-4-5', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] };
  const decoded = decodeAnthropicRequest(body);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return change(decoded.value);
}

const sampling = (rest: Partial<CompletionRequest['sampling']>) =>
  requestWith((request) => ({ ...request, sampling: { ...request.sampling, ...rest } }));
const member = (rest: Partial<CompletionRequest>) => requestWith((request) => ({ ...request, ...rest }));

const CASES: [keyof typeof anthropicFieldTable, CompletionRequest][] = [
  ['sampling.seed', sampling({ seed: 1 })],
  ['sampling.presencePenalty', sampling({ presencePenalty: 1 })],
  ['sampling.frequencyPenalty', sampling({ frequencyPenalty: 1 })],
  ['sampling.logitBias', sampling({ logitBias: { 1: 1 } })],
  ['choices', member({ choices: 2 })],
  ['logprobs', member({ logprobs: { alternatives: 1 } })],
  ['modalities', member({ modalities: ['text', 'audio'] })],
  ['verbosity', member({ verbosity: 'low' })],
  ['metadata', member({ metadata: { a: 'b' } })],
];

describe('the table of fields', () => {
  it.each(CASES)('says of %s what the encoder does with it', (field, request) => {
    const encoded = encodeAnthropicRequest(request, { defaultMaxTokens: 100 });
    const seen = encoded.ok ? `dropped ${encoded.dropped.length}` : encoded.error.code;
    const handling = anthropicFieldTable[field].handling;
    expect(seen).toBe(handling === 'refused' ? 'unsupported_parameter' : 'dropped 1');
  });

  it('says that promptCacheKey becomes breakpoints, for models that get them', () => {
    const content = [{ type: 'text' as const, text: 'word '.repeat(2_000), citations: [], cache: null }];
    const messages = [{ role: 'user' as const, name: null, content }];
    const keyed = member({ promptCacheKey: 'k', messages });
    const context = { defaultMaxTokens: 100, breakpoints: { isAgent: false } };
    const encoded = encodeAnthropicRequest(keyed, context);
    expect(encoded).toMatchObject({ ok: true, dropped: [] });
    expect(JSON.stringify(encoded)).toContain(
      `"${anthropicFieldTable.promptCacheKey.to}":{"type":"ephemeral"}`,
    );
    expect(encodeAnthropicRequest({ ...keyed, model: 'glm-5' }, context)).toMatchObject({
      dropped: ['prompt_cache_key'],
    });
  });
});
