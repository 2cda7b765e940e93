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
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { ErrorObject } from 'openai/resources/shared';

/**
 * What the gateway may answer, as the types of the official SDKs describe it. They are generated from the providers' own
 * OpenAPI documents; `load-sdk-schemas.ts` turns these interfaces into JSON schemas, one for each member.
 */
export interface OpenAiAnswers {
  chatCompletion: ChatCompletion;
  chatCompletionChunk: ChatCompletionChunk;
  openAiError: { error: ErrorObject };
  response: Response;
  responseStreamEvent: ResponseStreamEvent;
}

/** The same of the other SDK, apart because both name types alike. */
export interface AnthropicAnswers {
  message: Message;
  /** The type of the SDK lacks `ping` and `error`, which it takes out of the stream before it gives the events on. */
  messageStreamEvent: RawMessageStreamEvent | { type: 'ping' } | MessagesError;
  messagesError: MessagesError;
}

interface MessagesError extends Omit<ErrorResponse, 'error'> {
  error: ErrorResponse['error'] | RequestTooLarge;
}

/** Documented, and missing from the SDK's types (https://docs.anthropic.com/en/api/errors). */
interface RequestTooLarge {
  type: 'request_too_large';
  message: string;
}

/** What a provider takes, for the fake one to refuse anything else. */
export interface OpenAiRequests {
  chatCompletionRequest: Omit<ChatCompletionCreateParamsNonStreaming, 'stream'> & { stream?: boolean | null };
}

/** The same of the other SDK. */
export interface AnthropicRequests {
  messageRequest: Omit<MessageCreateParamsNonStreaming, 'stream'> & { stream?: boolean } & Sampling;
}

/** What models up to Claude 4.6 take, and the SDK describes no more. */
interface Sampling {
  temperature?: number;
  top_p?: number;
  top_k?: number;
}
