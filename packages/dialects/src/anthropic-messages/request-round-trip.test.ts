import type { CacheBreakpoint } from '@tollgate/core/completion/content';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import {
  arbitraryAnthropicProse,
  arbitraryAnthropicText,
  arbitraryCitedText,
  arbitraryServerToolUse,
  arbitrarySignedThinking,
} from '@tollgate/testing/arbitrary-completion-anthropic';
import {
  arbitraryCache,
  arbitraryCitation,
  arbitraryDocumentPart,
  arbitraryImagePart,
  arbitraryName,
  arbitraryProse,
  arbitraryRedactedThinkingPart,
  arbitraryRefusalPart,
  arbitraryTextPart,
  arbitraryThinkingPart,
  arbitraryToolCallPart,
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
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from './decode-request.ts';
import { encodeAnthropicRequest } from './encode-request.ts';

const CONTEXT = { defaultMaxTokens: 32_000 };
const prose = arbitraryAnthropicProse;
const image = arbitraryImagePart({ detail: fc.constant(null) });

const conversation = (systemsInside: boolean) =>
  arbitraryConversation({
    system: arbitraryAnthropicText(arbitraryCache),
    user: fc.oneof(
      arbitraryAnthropicText(arbitraryCache),
      image,
      arbitraryDocumentPart(),
      arbitraryServerToolUse,
    ),
    assistant: fc.oneof(
      arbitraryCitedText(arbitraryCache),
      arbitrarySignedThinking,
      arbitraryRedactedThinkingPart,
      arbitraryToolCallPart(),
      arbitraryServerToolUse,
    ),
    toolResult: fc.oneof(
      arbitraryAnthropicText(arbitraryCache),
      image,
      arbitraryDocumentPart(),
      arbitraryServerToolUse,
    ),
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

/** Removes a tool choice without tools, and the parallel flag of a choice of none. */
function tidyTools(request: CompletionRequest, tools: Partial<CompletionRequest> | null): CompletionRequest {
  const whole = { ...request, tools: [], toolChoice: null, parallelToolCalls: null, ...tools };
  return whole.toolChoice?.type === 'none' ? { ...whole, parallelToolCalls: null } : whole;
}

/** The provider takes four breakpoints, one of which may be automatic, and the longer lifetimes first. */
const MAX_MARKS = 3;

const isMarked = (carrier: object): carrier is { cache: CacheBreakpoint | null } =>
  'cache' in carrier && carrier.cache !== null;

function withFewMarks(request: CompletionRequest): CompletionRequest {
  const few = structuredClone(request);
  const parts = few.messages.flatMap((message): object[] => [message, ...message.content]);
  const carriers = [...few.tools, ...parts].filter(isMarked);
  const [first] = carriers;
  for (const [at, carrier] of carriers.entries())
    carrier.cache = at < MAX_MARKS ? (first?.cache ?? null) : null;
  return few;
}

const requests = (fields: Parameters<typeof arbitraryCompletionRequest>[0]) =>
  fc
    .tuple(arbitraryCompletionRequest({ ...everySetting, ...fields }), orNull(withTools))
    .map(([request, tools]) => withFewMarks(tidyTools(request, tools)));

function survives(request: CompletionRequest): void {
  const encoded = encodeAnthropicRequest(request, CONTEXT);
  if (!encoded.ok) throw new Error(encoded.error.message);
  const decoded = decodeAnthropicRequest(JSON.parse(JSON.stringify(encoded.body)));
  expect(decoded).toEqual({ ok: true, value: request });
  expect(encoded.dropped).toEqual([]);
}

describe('a request', () => {
  it('to a model that takes sampling is the same after encoding and decoding', () => {
    const plain = requests({
      model: fc.constant('claude-sonnet-4-5'),
      messages: conversation(false),
      sampling,
      reasoning: fc.constantFrom(null, { type: 'off' }),
    });
    fc.assert(fc.property(plain, survives), { numRuns: 300 });
  });

  it('with a thinking budget is the same after encoding and decoding', () => {
    const reasoned = requests({
      model: fc.constant('claude-sonnet-4-5'),
      messages: conversation(false).filter((messages) => messages.every(({ role }) => role !== 'tool')),
      sampling: noSampling,
      reasoning: fc.record({
        type: fc.constant('budget' as const),
        tokens: fc.integer({ min: 1024, max: 19_000 }),
      }),
    }).map((request): CompletionRequest => ({ ...request, toolChoice: null, parallelToolCalls: null }));
    fc.assert(fc.property(reasoned, survives), { numRuns: 100 });
  });

  it('to a model that thinks adaptively is the same after encoding and decoding', () => {
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

  it('that uses nothing the dialect lacks is written so that it can be read', () => {
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
