import type { MessageCreateParamsNonStreaming as BetaMessageParams } from '@anthropic-ai/sdk/resources/beta/messages';
import type {
  Message,
  MessageCreateParamsNonStreaming,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import type { ErrorResponse } from '@anthropic-ai/sdk/resources/shared';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions';
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { ErrorObject } from 'openai/resources/shared';

/**
 * The gateway's valid responses, as types of the official SDKs. These are generated from the providers' own OpenAPI
 * documents; `load-sdk-schemas.ts` converts these interfaces to JSON schemas, one per member.
 */
export interface OpenAiAnswers {
  chatCompletion: ChatCompletion;
  chatCompletionChunk: ChatCompletionChunk;
  openAiError: { error: ErrorObject };
  response: Response;
  responseStreamEvent: ResponseStreamEvent;
}

/** The same for the other SDK, separate because type names collide. */
export interface AnthropicAnswers {
  message: Message;
  /** The SDK's type lacks `ping` and `error`, which the SDK removes from the stream. */
  messageStreamEvent: RawMessageStreamEvent | { type: 'ping' } | MessagesError;
  messagesError: MessagesError;
}

interface MessagesError extends Omit<ErrorResponse, 'error'> {
  error: ErrorResponse['error'] | RequestTooLarge;
}

/** Documented, but missing in the SDK's types (https://docs.anthropic.com/en/api/errors). */
interface RequestTooLarge {
  type: 'request_too_large';
  message: string;
}

/** Valid requests; the fake provider refuses all others. */
export interface OpenAiRequests {
  chatCompletionRequest: Omit<ChatCompletionCreateParamsNonStreaming, 'stream'> & { stream?: boolean | null };
  responseRequest: Omit<ResponseCreateParamsNonStreaming, 'stream'> & { stream?: boolean | null };
}

/** The same for the other SDK. */
export interface AnthropicRequests {
  messageRequest: Omit<MessageCreateParamsNonStreaming, 'stream'> & { stream?: boolean } & Sampling;
  /** With the header `anthropic-beta`. */
  betaMessageRequest: Omit<BetaMessageParams, 'stream' | 'betas'> & { stream?: boolean } & Sampling;
}

/** Accepted by models up to Claude 4.6, but no longer in the SDK. */
interface Sampling {
  temperature?: number;
  top_p?: number;
  top_k?: number;
}
