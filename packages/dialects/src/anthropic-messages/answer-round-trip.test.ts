import { Buffer } from 'node:buffer';
import type { CompletionUsage } from '@tollgate/core/completion/response';
import {
  arbitraryCompletionResponse,
  arbitraryChoice,
  arbitraryFinish,
  arbitraryStream,
  arbitraryUsage,
} from '@tollgate/testing/arbitrary-completion';
import {
  arbitraryCitedText,
  arbitraryServerToolUse,
  arbitrarySignedThinking,
} from '@tollgate/testing/arbitrary-completion-anthropic';
import {
  arbitraryName,
  arbitraryRedactedThinkingPart,
  arbitraryThinkingPart,
  arbitraryToolCallPart,
} from '@tollgate/testing/arbitrary-completion-content';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser } from '../sse/parse-events.ts';
import { decodeAnthropicResponse } from './decode-response.ts';
import { createAnthropicStreamDecoder } from './decode-stream.ts';
import { encodeAnthropicResponse } from './encode-response.ts';
import { createAnthropicStreamEncoder } from './encode-stream.ts';

const noCache = fc.constant(null);
const answerPart = fc.oneof(
  arbitraryCitedText(noCache),
  arbitrarySignedThinking,
  arbitraryThinkingPart({ signature: noCache }),
  arbitraryRedactedThinkingPart,
  arbitraryToolCallPart({ cache: noCache }),
  arbitraryServerToolUse,
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
    }).filter(
      ({ content, finish }) =>
        finish.type !== 'tool_calls' || content.some(({ type }) => type === 'tool_call'),
    ),
  ),
});
const contextFor = (model: string) => ({
  requestId: 'req_1',
  model,
  nowSeconds: 0,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
});

const joinWrites = (usage: CompletionUsage | null) =>
  usage && {
    ...usage,
    cacheWriteTokens: usage.cacheWriteTokens + usage.cacheWrite1hTokens,
    cacheWrite1hTokens: 0,
  };

describe('an answer', () => {
  it('is the same after encoding and decoding', () => {
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

  it('is the same as a stream, for any order of parallel calls and any split of its bytes', () => {
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
        // A stream lacks the tier and, after its start, the lifetimes of cache entries.
        expect({ ...assembled, usage: joinWrites(assembled.usage) }).toEqual({
          ...response,
          serviceTier: null,
          usage: joinWrites(response.usage),
        });
      }),
      { numRuns: 300 },
    );
  });
});
