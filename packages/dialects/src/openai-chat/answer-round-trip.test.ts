import { Buffer } from 'node:buffer';
import type { AssistantPart, Citation } from '@tollgate/core/completion/content';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionChoice, CompletionResponse, FinishReason } from '@tollgate/core/completion/response';
import {
  arbitraryCompletionResponse,
  arbitraryStream,
  arbitraryUsage,
} from '@tollgate/testing/arbitrary-completion';
import {
  arbitraryProse,
  arbitraryRedactedThinkingPart,
  arbitraryRefusalPart,
  arbitraryTextPart,
  arbitraryThinkingPart,
  arbitraryToolCallPart,
  arbitraryUrl,
  orNull,
} from '@tollgate/testing/arbitrary-completion-content';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser } from '../sse/parse-events.ts';
import { decodeOpenAiChatRequest } from './decode-request.ts';
import { decodeOpenAiChatResponse } from './decode-response.ts';
import { createOpenAiChatStreamDecoder } from './decode-stream.ts';
import { encodeOpenAiChatResponse } from './encode-response.ts';
import { createOpenAiChatStreamEncoder } from './encode-stream.ts';

const citation: fc.Arbitrary<Citation> = fc
  .tuple(arbitraryUrl, arbitraryProse, orNull(arbitraryProse), fc.nat(9))
  .map(([url, title, citedText, start]) => {
    const end = start + 3;
    const content = citedText === null ? {} : { content: citedText };
    const cited = { url, title, start_index: start, end_index: end, ...content };
    return { citedText, title, url, start, end, original: { type: 'url_citation', url_citation: cited } };
  });

type ReasoningPart = fc.Arbitrary<AssistantPart>;

/** An answer in the order of this dialect: text, refusal and calls, with reasoning anywhere between them. */
function choice(reasoning: ReasoningPart, mostReasoning: number): fc.Arbitrary<CompletionChoice> {
  const citations = fc.array(citation, { maxLength: 2 });
  return fc
    .tuple(
      fc.array(arbitraryTextPart({ cache: fc.constant(null), citations }), { maxLength: 1 }),
      fc.array(arbitraryRefusalPart, { maxLength: 1 }),
      fc.array(arbitraryToolCallPart({ cache: fc.constant(null) }), { maxLength: 3 }),
      fc.array(fc.tuple(reasoning, fc.nat(9)), { maxLength: mostReasoning }),
      orNull(arbitraryProse),
      fc.constantFrom(null, 'length' as const, 'content_filter' as const),
    )
    .map(([texts, refusals, calls, placed, sequence, cut]) => {
      const content: AssistantPart[] = [...texts, ...refusals, ...calls];
      for (const [part, place] of placed) content.splice(place % (content.length + 1), 0, part);
      return { content, finish: cut === null ? getFinish(content, sequence) : { type: cut } };
    });
}

function getFinish(content: readonly AssistantPart[], sequence: string | null): FinishReason {
  if (content.some((part) => part.type === 'tool_call')) return { type: 'tool_calls' };
  if (content.some((part) => part.type === 'refusal')) return { type: 'refusal' };
  return sequence === null ? { type: 'stop' } : { type: 'stop_sequence', sequence };
}

const answer = (one: fc.Arbitrary<CompletionChoice>, most: number) =>
  arbitraryCompletionResponse({
    createdAt: fc.integer({ min: 1, max: 2 ** 31 }),
    choices: fc.array(one, { minLength: 1, maxLength: most }),
    usage: orNull(arbitraryUsage({ cacheWrite1hTokens: fc.constant(0) })),
    serviceTier: fc.constantFrom('default', 'priority', null),
  });

/** A stream has all citations in one list, which then comes behind the reasoning: no text is open that it belongs to. */
function thinksAfterCitation({ choices }: CompletionResponse): boolean {
  return choices.some(({ content }) => {
    const cited = content.findIndex((part) => part.type === 'text' && part.citations.length > 0);
    return cited !== -1 && content.slice(cited).some(({ type }) => type === 'thinking');
  });
}

const getContext = ({ model }: CompletionResponse) => ({
  requestId: 'req_1',
  model,
  nowSeconds: 1,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
});

function readStream(text: string): CompletionEvent[] {
  const parser = createSseParser();
  const decoder = createOpenAiChatStreamDecoder();
  const events = [...parser.push(Buffer.from(text)), ...parser.finish()];
  return [...events.flatMap((event) => decoder.push(event)), ...decoder.finish()];
}

describe('an answer that is written and read again', () => {
  const anyReasoning = fc.oneof(arbitraryThinkingPart(), arbitraryRedactedThinkingPart);

  it('is the same', () => {
    fc.assert(
      fc.property(answer(choice(anyReasoning, 2), 2), (response) => {
        const body = JSON.parse(JSON.stringify(encodeOpenAiChatResponse(response, getContext(response))));
        expect(decodeOpenAiChatResponse(body)).toEqual(response);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the signatures of its reasoning when the caller sends it back', () => {
    fc.assert(
      fc.property(answer(choice(anyReasoning, 2), 1), (response) => {
        const body = JSON.parse(JSON.stringify(encodeOpenAiChatResponse(response, getContext(response))));
        const messages = [{ role: 'user', content: 'Hi' }, body.choices[0].message];
        const decoded = decodeOpenAiChatRequest({ model: 'm', messages });
        if (!decoded.ok) throw new Error(decoded.error.message);
        expect(decoded.value.messages[1]?.content).toEqual(response.choices[0]?.content);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same as a stream with interleaved parallel calls', () => {
    const unverified = arbitraryThinkingPart({ signature: fc.constant(null) });
    fc.assert(
      fc.property(arbitraryStream(answer(choice(unverified, 1), 1)), ({ response, events }) => {
        fc.pre(!thinksAfterCitation(response));
        const encoder = createOpenAiChatStreamEncoder(getContext(response));
        const written = events.map((event) => encoder.push(event)).join('');
        const expected = { ...response, serviceTier: null };
        expect(assembleCompletion(readStream(written))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
