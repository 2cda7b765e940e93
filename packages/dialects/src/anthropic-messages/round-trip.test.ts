import { Buffer } from 'node:buffer';
import type { Citation, TextPart } from '@tollgate/core/completion/content';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import {
  arbitraryCompletionResponse,
  arbitraryChoice,
  arbitraryFinish,
  arbitraryStream,
  arbitraryUsage,
} from '@tollgate/testing/arbitrary-completion';
import {
  arbitraryCache,
  arbitraryCitation,
  arbitraryDocumentPart,
  arbitraryImagePart,
  arbitraryJsonObject,
  arbitraryName,
  arbitraryProse,
  arbitraryRedactedThinkingPart,
  arbitraryRefusalPart,
  arbitraryTextPart,
  arbitraryThinkingPart,
  arbitraryToolCallPart,
  arbitraryBase64,
  orNull,
} from '@tollgate/testing/arbitrary-completion-content';
import {
  arbitraryCompletionRequest,
  arbitraryConversation,
  arbitraryFraction,
  arbitraryJsonSchemaFormat,
  arbitrarySampling,
  arbitrarySchema,
  arbitraryTool,
  arbitraryToolChoice,
} from '@tollgate/testing/arbitrary-completion-request';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser } from '../sse/parse-events.ts';
import { decodeCitation } from './decode-citation.ts';
import { decodeAnthropicRequest } from './decode-request.ts';
import { decodeAnthropicResponse } from './decode-response.ts';
import { createAnthropicStreamDecoder } from './decode-stream.ts';
import { encodeAnthropicRequest } from './encode-request.ts';
import { encodeAnthropicResponse } from './encode-response.ts';
import { createAnthropicStreamEncoder } from './encode-stream.ts';

const CONTEXT = { defaultMaxTokens: 32_000 };
const prose = arbitraryProse.filter((text) => text.trim() !== '');
const noCache = fc.constant(null);

const citation: fc.Arbitrary<Citation> = fc
  .record({ cited_text: prose, document_index: fc.nat(3), document_title: orNull(prose) })
  .map((place) =>
    decodeCitation({ type: 'char_location', ...place, start_char_index: 0, end_char_index: 9 }),
  );
const opaque = arbitraryJsonObject.map((members) => ({
  type: 'opaque' as const,
  dialect: 'anthropic-messages',
  name: 'server_tool_use',
  value: { type: 'server_tool_use', ...members },
}));
const text = (cache: fc.Arbitrary<TextPart['cache']>) => arbitraryTextPart({ text: prose, cache });
const image = arbitraryImagePart({ detail: fc.constant(null) });
const cited = (cache: fc.Arbitrary<TextPart['cache']>) =>
  arbitraryTextPart({ text: prose, cache, citations: fc.array(citation, { maxLength: 2 }) });
const thinking = arbitraryThinkingPart({ signature: arbitraryBase64 });

const conversation = (systemsInside: boolean) =>
  arbitraryConversation({
    system: text(arbitraryCache),
    user: fc.oneof(text(arbitraryCache), image, arbitraryDocumentPart(), opaque),
    assistant: fc.oneof(
      cited(arbitraryCache),
      thinking,
      arbitraryRedactedThinkingPart,
      arbitraryToolCallPart(),
      opaque,
    ),
    toolResult: fc.oneof(text(arbitraryCache), image, arbitraryDocumentPart(), opaque),
    name: fc.constant(null),
    systemKind: fc.constant('system'),
    leadingSystems: 1,
    systemsInside,
  });

const nothing = {
  seed: fc.constant(null),
  presencePenalty: fc.constant(null),
  frequencyPenalty: fc.constant(null),
  logitBias: fc.constant(null),
};
const noSampling = arbitrarySampling({
  ...nothing,
  temperature: fc.constant(null),
  topP: fc.constant(null),
  topK: fc.constant(null),
});
/** Of temperature and top_p the provider takes one. */
const sampling = fc.oneof(
  arbitrarySampling({ ...nothing, temperature: orNull(arbitraryFraction(1)), topP: fc.constant(null) }),
  arbitrarySampling({ ...nothing, temperature: fc.constant(null), topP: arbitraryFraction(1) }),
);

const everySetting = {
  wantsStreamUsage: fc.constant(true),
  hostedTools: fc.constant<CompletionRequest['hostedTools']>([]),
  outputFormat: fc.oneof(
    fc.constant({ type: 'text' as const }),
    arbitraryJsonSchemaFormat({
      name: fc.constant(null),
      description: fc.constant(null),
      strict: fc.constant(null),
    }),
  ),
  maxOutputTokens: fc.integer({ min: 20_000, max: 64_000 }),
  stopSequences: fc.array(prose, { maxLength: 3 }),
  choices: fc.constant(1),
  logprobs: fc.constant(null),
  modalities: fc.constant<string[]>(['text']),
  verbosity: fc.constant(null),
  serviceTier: fc.constantFrom('auto', 'standard_only', null),
  endUser: orNull(arbitraryName),
  metadata: fc.constant(null),
  promptCacheKey: fc.constant(null),
  extra: fc.constantFrom<CompletionRequest['extra']>(
    {},
    { container: 'container_1' },
    { cache_control: { type: 'ephemeral' } },
  ),
};

const withTools = fc.record({
  tools: fc.array(arbitraryTool({ parameters: arbitrarySchema }), { minLength: 1, maxLength: 2 }),
  toolChoice: arbitraryToolChoice,
  parallelToolCalls: fc.constantFrom(true, false, null),
});

/** A tool choice without tools says nothing, and a choice of none leaves nothing to be parallel. */
function tidyTools(request: CompletionRequest, tools: Partial<CompletionRequest> | null): CompletionRequest {
  const whole = { ...request, tools: [], toolChoice: null, parallelToolCalls: null, ...tools };
  return whole.toolChoice?.type === 'none' ? { ...whole, parallelToolCalls: null } : whole;
}

const requests = (fields: Parameters<typeof arbitraryCompletionRequest>[0]) =>
  fc
    .tuple(arbitraryCompletionRequest({ ...everySetting, ...fields }), orNull(withTools))
    .map(([request, tools]) => tidyTools(request, tools));

function survives(request: CompletionRequest): void {
  const encoded = encodeAnthropicRequest(request, CONTEXT);
  if (!encoded.ok) throw new Error(encoded.error.message);
  const decoded = decodeAnthropicRequest(JSON.parse(JSON.stringify(encoded.body)));
  expect(decoded).toEqual({ ok: true, value: request });
  expect(encoded.dropped).toEqual([]);
}

describe('a request', () => {
  it('to a model that takes sampling says the same after encoding and decoding', () => {
    const plain = requests({
      model: fc.constant('claude-sonnet-4-5'),
      messages: conversation(false),
      sampling,
      reasoning: fc.constantFrom(null, { type: 'off' }),
    });
    fc.assert(fc.property(plain, survives), { numRuns: 300 });
  });

  it('with a budget for thinking says the same after encoding and decoding', () => {
    const thoughtful = requests({
      model: fc.constant('claude-sonnet-4-5'),
      messages: conversation(false).filter((messages) => messages.every(({ role }) => role !== 'tool')),
      sampling: noSampling,
      reasoning: fc.record({
        type: fc.constant('budget' as const),
        tokens: fc.integer({ min: 1024, max: 19_000 }),
      }),
    }).map((request): CompletionRequest => ({ ...request, toolChoice: null, parallelToolCalls: null }));
    fc.assert(fc.property(thoughtful, survives), { numRuns: 100 });
  });

  it('to a model that thinks adaptively says the same after encoding and decoding', () => {
    const adaptive = requests({
      model: fc.constant('claude-opus-4-8'),
      messages: conversation(true),
      sampling: noSampling,
      reasoning: fc.oneof(
        fc.constant(null),
        fc.record({
          type: fc.constant('adaptive' as const),
          effort: fc.constantFrom('low', 'medium', 'high', 'xhigh', 'max', null),
        }),
      ),
    }).map((request): CompletionRequest => ({ ...request, toolChoice: null, parallelToolCalls: null }));
    fc.assert(fc.property(adaptive, survives), { numRuns: 200 });
  });

  const models = fc.constantFrom('claude-haiku-4-5', 'claude-opus-4-8', 'claude-sonnet-4-6', 'MiniMax-M2');

  it('of any kind at all is written or refused by name', () => {
    fc.assert(
      fc.property(arbitraryCompletionRequest({ model: models }), (request) => {
        const encoded = encodeAnthropicRequest(request, CONTEXT);
        if (encoded.ok) return;
        expect(['unsupported_parameter', 'invalid_request']).toContain(encoded.error.code);
        expect(encoded.error.param).toBeTruthy();
      }),
      { numRuns: 500 },
    );
  });

  it('that asks for nothing the dialect lacks is written so that it can be read', () => {
    const foreign = arbitraryCompletionRequest({
      model: models,
      messages: arbitraryConversation({
        user: fc.oneof(arbitraryTextPart({ text: prose }), arbitraryImagePart(), arbitraryDocumentPart()),
        assistant: fc.oneof(
          arbitraryTextPart({ text: prose, citations: fc.array(arbitraryCitation, { maxLength: 1 }) }),
          arbitraryThinkingPart(),
          arbitraryToolCallPart({ id: arbitraryProse, arguments: arbitraryProse }),
          arbitraryRefusalPart,
        ),
        toolResult: arbitraryTextPart(),
      }),
      hostedTools: fc.constant<CompletionRequest['hostedTools']>([]),
      choices: fc.constant(1),
      logprobs: fc.constant(null),
      modalities: fc.constant<string[]>(['text']),
      stopSequences: fc.array(prose, { maxLength: 2 }),
      sampling: arbitrarySampling({ logitBias: fc.constant(null) }),
    });
    fc.assert(
      fc.property(foreign, (request) => {
        const encoded = encodeAnthropicRequest(request, CONTEXT);
        if (!encoded.ok) throw new Error(encoded.error.message);
        const decoded = decodeAnthropicRequest(JSON.parse(JSON.stringify(encoded.body)));
        expect(decoded).toMatchObject({ ok: true });
      }),
      { numRuns: 500 },
    );
  });
});

const answerPart = fc.oneof(
  cited(noCache),
  thinking,
  arbitraryThinkingPart({ signature: noCache }),
  arbitraryRedactedThinkingPart,
  arbitraryToolCallPart({ cache: noCache }),
  opaque,
);
const answer = arbitraryCompletionResponse({
  id: arbitraryName.map((name) => `msg_${name}`),
  createdAt: fc.constant(null),
  serviceTier: fc.constantFrom('standard', 'priority', null),
  usage: arbitraryUsage(),
  choices: fc.tuple(
    arbitraryChoice({
      content: fc.array(answerPart, { maxLength: 5 }),
      finish: arbitraryFinish.filter(({ type }) => type !== 'content_filter' && type !== 'stop'),
    }),
  ),
});
const contextFor = (model: string) => ({
  requestId: 'req_1',
  model,
  nowSeconds: 0,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
});

describe('an answer', () => {
  it('says the same after encoding and decoding', () => {
    fc.assert(
      fc.property(answer, (response) => {
        const body = JSON.parse(
          JSON.stringify(encodeAnthropicResponse(response, contextFor(response.model))),
        );
        expect(decodeAnthropicResponse(body)).toEqual(response);
      }),
      { numRuns: 300 },
    );
  });

  it('says the same streamed as whole, however its parallel calls are mixed and its bytes are cut', () => {
    fc.assert(
      fc.property(arbitraryStream(answer), fc.integer({ min: 1, max: 40 }), ({ response, events }, size) => {
        const encoder = createAnthropicStreamEncoder(contextFor(response.model));
        const bytes = Buffer.from(events.map((event) => encoder.push(event)).join(''));
        const parser = createSseParser();
        const decoder = createAnthropicStreamDecoder();
        const read = [];
        for (let at = 0; at < bytes.length; at += size)
          read.push(...parser.push(bytes.subarray(at, at + size)));
        const decoded = [...read, ...parser.finish()].flatMap((event) => decoder.push(event));
        const assembled = assembleCompletion([...decoded, ...decoder.finish()]);
        // A stream tells neither the tier nor, after its start, the lifetimes of cache entries.
        expect({ ...assembled, usage: { ...assembled.usage, cacheWrite1hTokens: null } }).toEqual({
          ...response,
          serviceTier: null,
          usage: { ...response.usage, cacheWrite1hTokens: null },
        });
      }),
      { numRuns: 300 },
    );
  });
});
