import { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionChoice, CompletionResponse } from '@tollgate/core/completion/response';
import {
  arbitraryCompletionResponse,
  arbitraryStream,
  arbitraryUsage,
} from '@tollgate/testing/arbitrary-completion';
import { arbitraryBase64, arbitraryName, orNull } from '@tollgate/testing/arbitrary-completion-content';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import { checkResponse } from '@tollgate/testing/conformance/check-response';
import { checkResponseStream } from '@tollgate/testing/conformance/check-response-stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser } from '../sse/parse-events.ts';
import { made, openAiSignature, redacted, thinking } from './arbitrary.fixture.ts';
import { decodeOpenAiResponsesRequest } from './decode-request.ts';
import { decodeOpenAiResponsesResponse } from './decode-response.ts';
import { createOpenAiResponsesStreamDecoder } from './decode-stream.ts';
import { encodeOpenAiResponsesResponse } from './encode-response.ts';
import { createOpenAiResponsesStreamEncoder } from './encode-stream.ts';
import { decodeFinish, getKinds } from './finish.ts';

/** Signatures of any maker: Anthropic's are stored as they are. */
const signature = fc.oneof(arbitraryBase64, openAiSignature);
const part = fc.oneof({ weight: 3, arbitrary: made }, thinking(orNull(signature)), redacted(signature));

const choice: fc.Arbitrary<CompletionChoice> = fc
  .tuple(
    fc.uniqueArray(part, { maxLength: 5, selector: getId }),
    fc.constantFrom(null, 'length' as const, 'content_filter' as const),
  )
  .map(([content, cut]) => ({
    content,
    finish: cut === null ? decodeFinish({}, getKinds(content)) : { type: cut },
  }));

/** Calls of one answer have distinct ids. */
function getId(found: CompletionChoice['content'][number]): unknown {
  return found.type === 'tool_call' ? found.id : found.type === 'opaque' ? found.value['id'] : found;
}

const usage = arbitraryUsage({ cacheWrite1hTokens: fc.constant(0) }).map((counts) => ({
  ...counts,
  reasoningTokens: Math.min(counts.reasoningTokens ?? 0, counts.outputTokens),
}));

const answer = arbitraryCompletionResponse({
  id: arbitraryName.map((name) => `resp_${name}`),
  createdAt: fc.integer({ min: 1, max: 2 ** 31 }),
  choices: fc.tuple(choice),
  usage,
  serviceTier: fc.constantFrom('default', 'priority', null),
});

const getContext = ({ model }: CompletionResponse) => ({
  requestId: 'req_1',
  model,
  nowSeconds: 1,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
});

function readStream(text: string): CompletionEvent[] {
  const parser = createSseParser();
  const decoder = createOpenAiResponsesStreamDecoder();
  const events = [...parser.push(Buffer.from(text)), ...parser.finish()];
  return [...events.flatMap((event) => decoder.push(event)), ...decoder.finish()];
}

describe('an answer that is written and read again', () => {
  it('is the same', () => {
    fc.assert(
      fc.property(answer, (response) => {
        const body = JSON.parse(
          JSON.stringify(encodeOpenAiResponsesResponse(response, getContext(response))),
        );
        expect(decodeOpenAiResponsesResponse(body)).toEqual(response);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same when the caller sends its items back', () => {
    fc.assert(
      fc.property(answer, (response) => {
        const body = JSON.parse(
          JSON.stringify(encodeOpenAiResponsesResponse(response, getContext(response))),
        );
        const decoded = decodeOpenAiResponsesRequest({
          model: 'm',
          input: [{ role: 'user', content: 'Hi' }, ...body.output],
        });
        if (!decoded.ok) throw new Error(decoded.error.message);
        expect(decoded.value.messages[1]?.content ?? []).toEqual(response.choices[0]?.content);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same as a stream with interleaved parallel calls', () => {
    fc.assert(
      fc.property(arbitraryStream(answer), ({ response, events }) => {
        const encoder = createOpenAiResponsesStreamEncoder(getContext(response));
        const written = events.map((event) => encoder.push(event)).join('');
        expect(assembleCompletion(readStream(written))).toEqual({ ...response, serviceTier: null });
      }),
      { numRuns: 300 },
    );
  });

  it('contains as a stream, at its end, what its deltas contained', () => {
    const plain = answer.map((response) => ({
      ...response,
      choices: response.choices.map(({ content, finish }) => ({
        // Items of hosted tools are written by the provider: they are passed on unchanged.
        content: content.filter(({ type }) => type !== 'opaque'),
        finish,
      })),
    }));
    fc.assert(
      fc.property(arbitraryStream(plain), ({ response, events }) => {
        const context = getContext(response);
        const encoder = createOpenAiResponsesStreamEncoder(context);
        const written = events.map((event) => encoder.push(event)).join('');
        expect(checkResponseStream(written, { ending: 'whole' })).toEqual([]);
        const whole: unknown = JSON.parse(JSON.stringify(encodeOpenAiResponsesResponse(response, context)));
        expect(checkResponse(whole)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
