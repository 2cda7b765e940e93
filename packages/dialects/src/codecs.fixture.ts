import type { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import { checkChatCompletion } from '@tollgate/testing/conformance/check-chat-completion';
import {
  checkChatCompletionStream,
  type StreamExpectation,
} from '@tollgate/testing/conformance/check-chat-stream';
import { checkMessage } from '@tollgate/testing/conformance/check-message';
import { checkMessageStream } from '@tollgate/testing/conformance/check-message-stream';
import { checkResponse } from '@tollgate/testing/conformance/check-response';
import { checkResponseStream } from '@tollgate/testing/conformance/check-response-stream';
import type { AnswerContext, StreamContext } from './answer-context.ts';
import { decodeAnthropicResponse } from './anthropic-messages/decode-response.ts';
import { createAnthropicStreamDecoder } from './anthropic-messages/decode-stream.ts';
import { encodeAnthropicResponse } from './anthropic-messages/encode-response.ts';
import { createAnthropicStreamEncoder } from './anthropic-messages/encode-stream.ts';
import type { JsonObject } from './json/parse-object.ts';
import { decodeOpenAiChatResponse } from './openai-chat/decode-response.ts';
import { createOpenAiChatStreamDecoder } from './openai-chat/decode-stream.ts';
import { encodeOpenAiChatResponse } from './openai-chat/encode-response.ts';
import { createOpenAiChatStreamEncoder } from './openai-chat/encode-stream.ts';
import { decodeOpenAiResponsesResponse } from './openai-responses/decode-response.ts';
import { createOpenAiResponsesStreamDecoder } from './openai-responses/decode-stream.ts';
import { encodeOpenAiResponsesResponse } from './openai-responses/encode-response.ts';
import { createOpenAiResponsesStreamEncoder } from './openai-responses/encode-stream.ts';
import { createSseParser, type SseEvent } from './sse/parse-events.ts';

/** A codec, and the independent checks of what it writes. */
interface CodecUnderTest {
  decodeResponse(body: JsonObject): CompletionResponse | null;
  encodeResponse(response: CompletionResponse, context: AnswerContext): JsonObject;
  createStreamDecoder(): { push(event: SseEvent): CompletionEvent[]; finish(): CompletionEvent[] };
  createStreamEncoder(context: StreamContext): { push(event: CompletionEvent): string };
  checkWhole(value: unknown): string[];
  checkStream(body: string, expected: StreamExpectation): string[];
}

export const CODECS = {
  'openai-chat': {
    decodeResponse: decodeOpenAiChatResponse,
    encodeResponse: encodeOpenAiChatResponse,
    createStreamDecoder: createOpenAiChatStreamDecoder,
    createStreamEncoder: createOpenAiChatStreamEncoder,
    checkWhole: checkChatCompletion,
    checkStream: checkChatCompletionStream,
  },
  'anthropic-messages': {
    decodeResponse: decodeAnthropicResponse,
    encodeResponse: encodeAnthropicResponse,
    createStreamDecoder: createAnthropicStreamDecoder,
    createStreamEncoder: createAnthropicStreamEncoder,
    checkWhole: checkMessage,
    checkStream: checkMessageStream,
  },
  'openai-responses': {
    decodeResponse: decodeOpenAiResponsesResponse,
    encodeResponse: encodeOpenAiResponsesResponse,
    createStreamDecoder: createOpenAiResponsesStreamDecoder,
    createStreamEncoder: createOpenAiResponsesStreamEncoder,
    checkWhole: checkResponse,
    checkStream: checkResponseStream,
  },
} satisfies Record<string, CodecUnderTest>;

export type CodecName = keyof typeof CODECS;

/** Reads a whole stream with a codec. */
export function decodeWholeStream(name: CodecName, body: Buffer): CompletionEvent[] {
  const parser = createSseParser();
  const decoder = CODECS[name].createStreamDecoder();
  const parsed = [...parser.push(body), ...parser.finish()];
  return [...parsed.flatMap((event) => decoder.push(event)), ...decoder.finish()];
}
