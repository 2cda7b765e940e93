import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { Result } from '@tollgate/core/errors/errors';
import type { AnswerContext, StreamContext } from './answer-context.ts';
import { decodeAnthropicError } from './anthropic-messages/decode-error.ts';
import { decodeAnthropicRequest } from './anthropic-messages/decode-request.ts';
import { decodeAnthropicResponse } from './anthropic-messages/decode-response.ts';
import { createAnthropicStreamDecoder } from './anthropic-messages/decode-stream.ts';
import { encodeAnthropicError } from './anthropic-messages/encode-error.ts';
import { encodeAnthropicRequest } from './anthropic-messages/encode-request.ts';
import { encodeAnthropicResponse } from './anthropic-messages/encode-response.ts';
import { createAnthropicStreamEncoder } from './anthropic-messages/encode-stream.ts';
import type { Encoded } from './encoded.ts';
import type { JsonObject } from './json/parse-object.ts';
import { decodeOpenAiError } from './openai-chat/decode-error.ts';
import { decodeOpenAiChatRequest } from './openai-chat/decode-request.ts';
import { decodeOpenAiChatResponse } from './openai-chat/decode-response.ts';
import { createOpenAiChatStreamDecoder } from './openai-chat/decode-stream.ts';
import { encodeOpenAiError } from './openai-chat/encode-error.ts';
import { encodeOpenAiChatRequest } from './openai-chat/encode-request.ts';
import { encodeOpenAiChatResponse } from './openai-chat/encode-response.ts';
import { createOpenAiChatStreamEncoder } from './openai-chat/encode-stream.ts';
import type { ProviderQuirks } from './openai-chat/quirks/provider-quirks.ts';
import { decodeOpenAiResponsesError } from './openai-responses/decode-error.ts';
import { decodeOpenAiResponsesRequest } from './openai-responses/decode-request.ts';
import { decodeOpenAiResponsesResponse } from './openai-responses/decode-response.ts';
import { createOpenAiResponsesStreamDecoder } from './openai-responses/decode-stream.ts';
import { encodeOpenAiResponsesRequest } from './openai-responses/encode-request.ts';
import { encodeOpenAiResponsesResponse } from './openai-responses/encode-response.ts';
import { createOpenAiResponsesStreamEncoder } from './openai-responses/encode-stream.ts';
import { withLongNames, writeLongNames } from './portable-tools/long-names.ts';
import type { ProviderError } from './provider-error.ts';
import type { StreamDecoder, StreamEncoder } from './stream-codec.ts';

/** The target's properties that an encoder needs. */
interface EncodeTarget {
  /** The quirks of a provider that speaks `openai-chat`. */
  quirks: ProviderQuirks;
  /** The output limit for a request that names none, in dialects that require one. */
  defaultMaxTokens: number;
  /** Cache breakpoints are placed if they pay, in dialects that have them; absent: only those of the request are written. */
  breakpoints?: { isAgent: boolean };
}

/** Between one dialect's wire format and the canonical model: any two of them make a translation. */
export interface DialectCodec {
  decodeRequest(body: JsonObject): Result<CompletionRequest>;
  /** `request.model` is the name that the provider knows. */
  encodeRequest(request: CompletionRequest, target: EncodeTarget): Encoded;
  /** @returns null if the body is not a completion */
  decodeResponse(body: JsonObject): CompletionResponse | null;
  encodeResponse(response: CompletionResponse, context: AnswerContext): JsonObject;
  createStreamDecoder(): StreamDecoder;
  createStreamEncoder(context: StreamContext): StreamEncoder;
  /** @param body the parsed body; its text if it is not JSON */
  decodeError(status: number, body: unknown): ProviderError;
  encodeError(error: ProviderError, requestId: string): JsonObject;
}

const CODECS: Record<Dialect, DialectCodec> = {
  'openai-chat': {
    decodeRequest: decodeOpenAiChatRequest,
    encodeRequest: (request, target) => encodeOpenAiChatRequest(request, target.quirks),
    decodeResponse: decodeOpenAiChatResponse,
    encodeResponse: encodeOpenAiChatResponse,
    createStreamDecoder: createOpenAiChatStreamDecoder,
    createStreamEncoder: createOpenAiChatStreamEncoder,
    decodeError: decodeOpenAiError,
    encodeError: encodeOpenAiError,
  },
  'anthropic-messages': {
    decodeRequest: decodeAnthropicRequest,
    encodeRequest: encodeAnthropicRequest,
    decodeResponse: decodeAnthropicResponse,
    encodeResponse: encodeAnthropicResponse,
    createStreamDecoder: createAnthropicStreamDecoder,
    createStreamEncoder: createAnthropicStreamEncoder,
    decodeError: decodeAnthropicError,
    encodeError: encodeAnthropicError,
  },
  'openai-responses': {
    decodeRequest: decodeOpenAiResponsesRequest,
    encodeRequest: encodeOpenAiResponsesRequest,
    decodeResponse: decodeOpenAiResponsesResponse,
    encodeResponse: encodeOpenAiResponsesResponse,
    createStreamDecoder: createOpenAiResponsesStreamDecoder,
    createStreamEncoder: createOpenAiResponsesStreamEncoder,
    decodeError: decodeOpenAiResponsesError,
    encodeError: encodeOpenAiError,
  },
};

const NAMED: Record<Dialect, DialectCodec> = {
  'openai-chat': withCallerNames(CODECS['openai-chat']),
  'anthropic-messages': withCallerNames(CODECS['anthropic-messages']),
  'openai-responses': withCallerNames(CODECS['openai-responses']),
};

/** Responses name functions as the caller does, whatever name the provider got. */
function withCallerNames(codec: DialectCodec): DialectCodec {
  return {
    ...codec,
    encodeResponse: (response, context) =>
      codec.encodeResponse(withLongNames(response, context.requestBody), context),
    createStreamEncoder: (context) => writeLongNames(codec.createStreamEncoder(context), context.requestBody),
  };
}

/** The codec of a dialect. */
export function getCodec(dialect: Dialect): DialectCodec {
  return NAMED[dialect];
}
