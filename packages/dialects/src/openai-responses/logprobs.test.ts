import { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse, TokenLogprob } from '@tollgate/core/completion/response';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import { checkChatCompletion } from '@tollgate/testing/conformance/check-chat-completion';
import { checkChatCompletionStream } from '@tollgate/testing/conformance/check-chat-stream';
import { checkResponse } from '@tollgate/testing/conformance/check-response';
import { checkResponseStream } from '@tollgate/testing/conformance/check-response-stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeAnthropicRequest } from '../anthropic-messages/encode-request.ts';
import { decodeOpenAiChatRequest } from '../openai-chat/decode-request.ts';
import { decodeOpenAiChatResponse } from '../openai-chat/decode-response.ts';
import { createOpenAiChatStreamDecoder } from '../openai-chat/decode-stream.ts';
import { encodeOpenAiChatRequest } from '../openai-chat/encode-request.ts';
import { encodeOpenAiChatResponse } from '../openai-chat/encode-response.ts';
import { createOpenAiChatStreamEncoder } from '../openai-chat/encode-stream.ts';
import { createSseParser } from '../sse/parse-events.ts';
import { decodeOpenAiResponsesRequest } from './decode-request.ts';
import { decodeOpenAiResponsesResponse } from './decode-response.ts';
import { createOpenAiResponsesStreamDecoder } from './decode-stream.ts';
import { encodeOpenAiResponsesRequest } from './encode-request.ts';
import { encodeOpenAiResponsesResponse } from './encode-response.ts';
import { createOpenAiResponsesStreamEncoder } from './encode-stream.ts';

const chance = fc
  .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), fc.nat(640))
  .map(([token, step]) => ({ token, logprob: -(step + 1) / 64, bytes: [...Buffer.from(token)] }));
const tokens: fc.Arbitrary<TokenLogprob[]> = fc.array(
  fc
    .tuple(chance, fc.array(chance, { maxLength: 2 }))
    .map(([own, alternatives]) => ({ ...own, alternatives })),
  { minLength: 1, maxLength: 6 },
);

const CONTEXT = {
  requestId: 'req_1',
  model: 'm',
  nowSeconds: 1,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
};
const USAGE = {
  inputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
  cacheWrite1hTokens: 0,
};
const getText = (logprobs: readonly TokenLogprob[]) => logprobs.map(({ token }) => token).join('');
const textPart = (text: string) => ({ type: 'text' as const, text, citations: [], cache: null });

/** An answer whose texts consist of these tokens. */
const getAnswer = (...texts: TokenLogprob[][]): CompletionResponse => ({
  id: 'resp_1',
  model: 'm',
  createdAt: 1,
  choices: [
    { content: texts.map((one) => textPart(getText(one))), finish: { type: 'stop' }, logprobs: texts.flat() },
  ],
  usage: USAGE,
  serviceTier: null,
});

/** The stream of one text, each delta with its token. */
const getEvents = (logprobs: readonly TokenLogprob[]): CompletionEvent[] => [
  { type: 'start', id: 'resp_1', model: 'm', createdAt: 1, usage: USAGE },
  { type: 'block_start', choice: 0, block: 0, start: { type: 'text' } },
  ...logprobs.flatMap((token): CompletionEvent[] => [
    { type: 'logprobs', choice: 0, tokens: [token] },
    { type: 'text_delta', choice: 0, block: 0, text: token.token },
  ]),
  { type: 'block_end', choice: 0, block: 0 },
  { type: 'finish', choice: 0, reason: { type: 'stop' } },
  { type: 'end' },
];

const overWire = (value: object) => JSON.parse(JSON.stringify(value));

describe('log probabilities', () => {
  it('go through a whole answer of either dialect', () => {
    fc.assert(
      fc.property(tokens, tokens, (first, second) => {
        const one = getAnswer(first);
        const chat = overWire(encodeOpenAiChatResponse(one, CONTEXT));
        expect(checkChatCompletion(chat)).toEqual([]);
        expect(decodeOpenAiChatResponse(chat)).toEqual(one);
        const two = getAnswer(first, second);
        const response = overWire(encodeOpenAiResponsesResponse(two, CONTEXT));
        expect(checkResponse(response)).toEqual([]);
        expect(decodeOpenAiResponsesResponse(response)).toEqual(two);
        const [said] = response.output;
        expect(said.content[0].logprobs.map(({ token }: { token: string }) => token).join('')).toBe(
          said.content[0].text,
        );
      }),
    );
  });

  it('go through a stream of either dialect, with the text that they are of', () => {
    fc.assert(
      fc.property(tokens, (logprobs) => {
        const events = getEvents(logprobs);
        const whole = getAnswer(logprobs);
        const chat = createOpenAiChatStreamEncoder(CONTEXT);
        const chunks = events.map((event) => chat.push(event)).join('');
        expect(checkChatCompletionStream(chunks, { ending: 'whole' })).toEqual([]);
        expect(assembleCompletion(read(chunks, createOpenAiChatStreamDecoder()))).toEqual(whole);
        const responses = createOpenAiResponsesStreamEncoder(CONTEXT);
        const stream = events.map((event) => responses.push(event)).join('');
        expect(checkResponseStream(stream, { ending: 'whole' })).toEqual([]);
        // The delta events of this dialect omit the bytes; the last event has them.
        const again = assembleCompletion(read(stream, createOpenAiResponsesStreamDecoder()));
        expect(again.choices[0]?.logprobs).toEqual(logprobs.map(withoutBytes));
        expect(again.choices[0]?.content).toEqual(whole.choices[0]?.content);
      }),
    );
  });

  it('are requested from either dialect in terms of the other, and refused for a model that returns none', () => {
    const asked = decodeOpenAiChatRequest({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      logprobs: true,
      top_logprobs: 2,
    });
    if (!asked.ok) throw new Error(asked.error.message);
    const responses = encodeOpenAiResponsesRequest(asked.value);
    expect(responses).toMatchObject({
      body: { include: ['message.output_text.logprobs'], top_logprobs: 2 },
    });
    const again = decodeOpenAiResponsesRequest(responses.ok ? responses.body : {});
    if (!again.ok) throw new Error(again.error.message);
    expect(encodeOpenAiChatRequest(again.value)).toMatchObject({ body: { logprobs: true, top_logprobs: 2 } });
    expect(encodeAnthropicRequest(again.value, { defaultMaxTokens: 9 })).toMatchObject({
      error: { code: 'unsupported_parameter', param: 'logprobs' },
    });
  });
});

function withoutBytes(token: TokenLogprob): TokenLogprob {
  const alternatives = token.alternatives.map((other) => ({ ...other, bytes: null }));
  return { ...token, bytes: null, alternatives };
}

function read(text: string, decoder: ReturnType<typeof createOpenAiChatStreamDecoder>): CompletionEvent[] {
  const events = createSseParser().push(Buffer.from(text));
  return [...events.flatMap((event) => decoder.push(event)), ...decoder.finish()];
}
