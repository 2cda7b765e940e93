import type { DocumentPart, UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest, Message } from '@tollgate/core/completion/request';
import {
  arbitraryBase64,
  arbitraryDocumentPart,
  arbitraryImagePart,
  arbitraryJsonObject,
  arbitraryName,
  arbitraryProse,
  arbitraryTextPart,
  arbitraryUrl,
  orNull,
} from '@tollgate/testing/arbitrary-completion-content';
import {
  arbitraryCompletionRequest,
  arbitraryConversation,
  arbitraryJsonSchemaFormat,
  arbitrarySampling,
  arbitraryTool,
} from '@tollgate/testing/arbitrary-completion-request';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { made, openAiSignature, redacted, thinking } from './arbitrary.fixture.ts';
import { textPart } from './decode-part.ts';
import { decodeOpenAiResponsesRequest } from './decode-request.ts';
import { encodeOpenAiResponsesRequest } from './encode-request.ts';

const of = <const T>(value: T) => fc.constant(value);
const none = of(null);
const text = arbitraryTextPart({ cache: none });

const document = (source: fc.Arbitrary<DocumentPart['source']>, title: fc.Arbitrary<string | null>) =>
  arbitraryDocumentPart({ source, title, context: none, citable: of(false), cache: none });
const pdf = arbitraryBase64.map((data) => ({
  kind: 'base64' as const,
  mediaType: 'application/pdf',
  data,
}));
const stored: fc.Arbitrary<DocumentPart['source']> = fc.oneof(
  arbitraryUrl.map((url) => ({ kind: 'url' as const, url })),
  arbitraryName.map((fileId) => ({ kind: 'file' as const, fileId })),
);

const shown: fc.Arbitrary<Exclude<UserPart, { type: 'audio' }>> = fc.oneof(
  text,
  arbitraryImagePart({ cache: none }),
  document(pdf, arbitraryProse),
  document(stored, orNull(arbitraryProse)),
  arbitraryJsonObject.map((rest) => ({
    type: 'opaque' as const,
    dialect: 'openai-responses',
    name: 'input_video',
    value: { type: 'input_video', ...rest },
  })),
);

/** The result of a call that only this dialect has: an item, and so a separate message. */
const ownOutput: fc.Arbitrary<Message> = arbitraryJsonObject.map((rest) => ({
  role: 'user',
  name: null,
  content: [
    {
      type: 'opaque',
      dialect: 'openai-responses',
      name: 'computer_call_output',
      value: { type: 'computer_call_output', ...rest },
    },
  ],
}));

const messages = fc
  .tuple(
    arbitraryConversation({
      system: text,
      user: shown,
      toolResult: shown,
      assistant: fc.oneof(made, thinking(openAiSignature), redacted(openAiSignature)),
      name: none,
      isError: of(false),
      toolCache: none,
    }),
    fc.array(ownOutput, { maxLength: 1 }),
  )
  .map(([conversation, outputs]) => [...conversation.map(withEnd), ...outputs]);

/** Reasoning that nothing follows is not sent. */
function withEnd(message: Message): Message {
  return message.role === 'assistant'
    ? { ...message, content: [...message.content, textPart('The end.')] }
    : message;
}

/** Everything that this dialect can express without loss. */
const expressible: fc.Arbitrary<CompletionRequest> = arbitraryCompletionRequest({
  model: fc.constantFrom('openai/gpt-oss-120b', 'llama'),
  wantsStreamUsage: of(true),
  messages,
  tools: fc.array(arbitraryTool({ cache: none, strict: fc.boolean() }), { maxLength: 2 }),
  hostedTools: fc.array(
    arbitraryJsonObject.map((rest) => ({
      dialect: 'openai-responses',
      name: 'web_search',
      value: { type: 'web_search', ...rest },
    })),
    { maxLength: 1 },
  ),
  outputFormat: fc.oneof(
    fc.record({ type: fc.constantFrom('text' as const, 'json_object' as const) }),
    arbitraryJsonSchemaFormat({ name: arbitraryName }),
  ),
  stopSequences: of([]),
  sampling: arbitrarySampling({
    topK: none,
    seed: none,
    presencePenalty: none,
    frequencyPenalty: none,
    logitBias: none,
  }),
  reasoning: orNull(
    fc.record({ type: of('effort'), effort: fc.constantFrom('none', 'minimal', 'low', 'xhigh', 'max') }),
  ),
  choices: of(1),
  modalities: of(['text']),
  serviceTier: fc.constantFrom('auto', 'default', 'flex', 'priority', null),
  extra: fc.record(
    {
      truncation: of('auto'),
      max_tool_calls: fc.nat(9),
      include: of(['web_search_call.action.sources']),
      tool_choice: of({ type: 'web_search' }),
      'reasoning.summary': fc.constantFrom('auto', 'detailed'),
    },
    { requiredKeys: [] },
  ),
}).map((request) => ('tool_choice' in request.extra ? { ...request, toolChoice: null } : request));

describe('a request that is written and read again', () => {
  it('is the same', () => {
    fc.assert(
      fc.property(expressible, (request) => {
        const encoded = encodeOpenAiResponsesRequest(request);
        if (!encoded.ok) throw new Error(encoded.error.message);
        expect(encoded.dropped).toEqual([]);
        const sent = JSON.parse(JSON.stringify(encoded.body));
        expect(decodeOpenAiResponsesRequest(sent)).toEqual({ ok: true, value: request });
      }),
      { numRuns: 300 },
    );
  });

  it('is written, refused or named as dropped for any members', () => {
    fc.assert(
      fc.property(arbitraryCompletionRequest(), (request) => {
        const encoded = encodeOpenAiResponsesRequest(request);
        if (encoded.ok) expect(decodeOpenAiResponsesRequest(encoded.body)).toMatchObject({ ok: true });
        else
          expect(encoded.error).toMatchObject({ code: 'unsupported_parameter', param: expect.any(String) });
      }),
    );
  });

  it('is read or refused with the place of its error, for any mutation', () => {
    const seeds = fc.sample(expressible, { numRuns: 30, seed: 7 }).map((request) => {
      const encoded = encodeOpenAiResponsesRequest(request);
      return encoded.ok ? encoded.body : {};
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        fc.jsonValue(),
        (seed, path, value) => {
          const body = structuredClone(seed);
          replaceAt(body, path, value);
          const decoded = decodeOpenAiResponsesRequest(body);
          expect(decoded.ok ? 'model' : decoded.error.param).toMatch(/^\w/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** Puts `value` at the place that the numbers choose, one member per level. */
function replaceAt(body: Record<string, unknown>, path: readonly number[], value: unknown): void {
  let owner = body;
  for (const [step, number] of path.entries()) {
    const keys = Object.keys(owner);
    const key = keys[number % keys.length];
    if (key === undefined) return;
    const next = owner[key];
    if (step === path.length - 1 || typeof next !== 'object' || next === null) {
      owner[key] = value;
      return;
    }
    owner = Object.assign(next);
  }
}
