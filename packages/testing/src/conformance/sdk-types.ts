import type { Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { ErrorResponse } from '@anthropic-ai/sdk/resources/shared';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
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
