import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Stop, ParsedResponse } from './parsed-response.ts';
import { parseArguments } from './parsed-response.ts';

export interface SdkReader {
  dialect: 'openai-chat' | 'anthropic-messages' | 'openai-responses';
  /** Sends a request the way the SDK's users do. @throws the SDK's own errors */
  read(model: string, isStream: boolean): Promise<ParsedResponse>;
  /** How this dialect reports why a response ended. */
  getStop(stop: Stop, hasRefusalText: boolean): string;
  /** The SDK's error class for a status. */
  errorClass(status: number): new (...given: never[]) => Error;
  /** Everything that the SDK throws for a response. */
  anyError: new (...given: never[]) => Error;
}

const SAID = { role: 'user' as const, content: 'Hi' };

/** Reads with the official SDKs, one for each endpoint of the gateway. */
export function createSdkReaders(gateway: { baseUrl: string; secret: string }): SdkReader[] {
  const { baseUrl: baseURL, secret: apiKey } = gateway;
  const openai = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL, apiKey, maxRetries: 0 });
  return [
    {
      dialect: 'openai-chat',
      read: (model, isStream) => readChat(openai, model, isStream),
      getStop: getChatStop,
      errorClass: (status) => getClass(OpenAI, status),
      anyError: OpenAI.APIError,
    },
    {
      dialect: 'anthropic-messages',
      read: (model, isStream) => readMessage(anthropic, model, isStream),
      getStop: getMessageStop,
      errorClass: (status) => getClass(Anthropic, status),
      anyError: Anthropic.APIError,
    },
    {
      dialect: 'openai-responses',
      read: (model, isStream) => readResponse(openai, model, isStream),
      getStop: getResponseStop,
      errorClass: (status) => getClass(OpenAI, status),
      anyError: OpenAI.APIError,
    },
  ];
}

function getClass(sdk: typeof OpenAI | typeof Anthropic, status: number) {
  switch (status) {
    case 400:
      return sdk.BadRequestError;
    case 404:
      return sdk.NotFoundError;
    case 422:
      return sdk.UnprocessableEntityError;
    case 429:
      return sdk.RateLimitError;
    default:
      return status >= 500 ? sdk.InternalServerError : sdk.APIError;
  }
}

async function readChat(client: OpenAI, model: string, isStream: boolean): Promise<ParsedResponse> {
  const request = { model, messages: [SAID] };
  const options = { ...request, stream_options: { include_usage: true } };
  const completion = isStream
    ? await client.chat.completions.stream(options).finalChatCompletion()
    : await client.chat.completions.create(request);
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('The response has no choice');
  const { message } = choice;
  const { usage } = completion;
  return {
    text: (message.content ?? '') + (message.refusal ?? ''),
    calls: (message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: parseArguments(call.function.arguments) }]
        : [],
    ),
    stop: choice.finish_reason,
    usage:
      usage === undefined
        ? null
        : {
            input: usage.prompt_tokens,
            cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
            output: usage.completion_tokens,
          },
  };
}

function getChatStop(stop: Stop, hasRefusalText: boolean): string {
  switch (stop) {
    case 'stop':
    case 'stop_sequence':
    case 'pause':
      return 'stop';
    case 'length':
    case 'context_length':
      return 'length';
    case 'refusal':
      return hasRefusalText ? 'stop' : 'content_filter';
    case 'tool_calls':
    case 'content_filter':
      return stop;
  }
}

async function readMessage(client: Anthropic, model: string, isStream: boolean): Promise<ParsedResponse> {
  const request = { model, max_tokens: 1_000, messages: [SAID] };
  const message = isStream
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
  const { content, usage } = message;
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    stop: message.stop_reason ?? '',
    usage: {
      input:
        usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      cached: usage.cache_read_input_tokens ?? 0,
      output: usage.output_tokens,
    },
  };
}

function getMessageStop(stop: Stop): string {
  const stops: Record<Stop, string> = {
    stop: 'end_turn',
    stop_sequence: 'stop_sequence',
    length: 'max_tokens',
    tool_calls: 'tool_use',
    content_filter: 'refusal',
    refusal: 'refusal',
    pause: 'pause_turn',
    context_length: 'model_context_window_exceeded',
  };
  return stops[stop];
}

async function readResponse(client: OpenAI, model: string, isStream: boolean): Promise<ParsedResponse> {
  const request = { model, input: [SAID] };
  const response = isStream
    ? await client.responses.stream(request).finalResponse()
    : await client.responses.create(request);
  const { output, usage } = response;
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  return {
    text: parts.map((part) => (part.type === 'refusal' ? part.refusal : part.text)).join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, input: parseArguments(item.arguments) }]
        : [],
    ),
    stop: response.incomplete_details?.reason ?? response.status ?? '',
    usage:
      usage === undefined
        ? null
        : {
            input: usage.input_tokens,
            cached: usage.input_tokens_details.cached_tokens,
            output: usage.output_tokens,
          },
  };
}

function getResponseStop(stop: Stop, hasRefusalText: boolean): string {
  switch (stop) {
    case 'length':
    case 'context_length':
      return 'max_output_tokens';
    case 'content_filter':
      return stop;
    case 'refusal':
      return hasRefusalText ? 'completed' : 'content_filter';
    case 'stop':
    case 'stop_sequence':
    case 'tool_calls':
    case 'pause':
      return 'completed';
  }
}
