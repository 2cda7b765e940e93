import { z } from 'zod';

/** Response headers, and request headers specific to a dialect. */
const text = (description: string) => z.string().optional().meta({ description });
const number = (description: string) => z.int().optional().meta({ description });

/** On every response. */
export const ANSWER_HEADERS = z.object({
  'x-request-id': z.string().meta({ description: 'The request’s ID, in the console and in logs' }),
});

/** On errors. */
export const ERROR_HEADERS = ANSWER_HEADERS.extend({
  'x-should-retry': text('`false`: the same request would fail again; SDKs do not retry it'),
});

/** On errors that SDKs retry after a wait. */
export const RETRY_HEADERS = ERROR_HEADERS.extend({
  'retry-after': number('Seconds until the request can be retried'),
  'retry-after-ms': number('The same in milliseconds'),
});

const COMPLETION_HEADERS = ANSWER_HEADERS.extend({
  'x-tollgate-cost': text('The cost of the request in USD; absent on streams'),
  'x-tollgate-max-tokens': text(
    'Maximum output tokens sent to the provider, if lower than the request’s or the model’s own',
  ),
  'x-tollgate-requested-model': text(
    'The requested model; `model` of the response is the upstream model that answered. On messages, and for models with fallback models',
  ),
  'x-tollgate-dropped-params': text('Request parameters that were not sent to the provider, comma-separated'),
});

/** On model responses; the limits are those of the key, if it has any. */
export const CHAT_COMPLETION_HEADERS = COMPLETION_HEADERS.extend({
  'x-ratelimit-limit-requests': number('Requests per minute'),
  'x-ratelimit-remaining-requests': number('Remaining'),
  'x-ratelimit-reset-requests': text('Time until the full limit is available: 1500ms'),
  'x-ratelimit-limit-tokens': number('Tokens per minute'),
  'x-ratelimit-remaining-tokens': number('Remaining'),
  'x-ratelimit-reset-tokens': text('Time until the full limit is available: 1500ms'),
});

/** On responses of the Responses API. */
export const RESPONSE_HEADERS = CHAT_COMPLETION_HEADERS.extend({
  'x-tollgate-stored': text(
    '`false`: the response was not stored; absent if the request sets `store: false`',
  ),
});

/** The same in Anthropic's format. */
export const MESSAGE_HEADERS = COMPLETION_HEADERS.extend({
  'request-id': text('The same as x-request-id'),
  'anthropic-ratelimit-requests-limit': number('Requests per minute'),
  'anthropic-ratelimit-requests-remaining': number('Remaining'),
  'anthropic-ratelimit-requests-reset': text('Time at which the full limit is available, RFC 3339'),
  'anthropic-ratelimit-tokens-limit': number('Tokens per minute'),
  'anthropic-ratelimit-tokens-remaining': number('Remaining'),
  'anthropic-ratelimit-tokens-reset': text('Time at which the full limit is available, RFC 3339'),
});

/** On token counts. */
export const COUNT_HEADERS = ANSWER_HEADERS.extend({
  'request-id': text('The same as x-request-id'),
  'x-tollgate-cost': text('0.00'),
  'x-tollgate-estimated': text('`true` if the gateway estimated the count'),
});

/** On requests of models, for their routing. */
export const ROUTING_HEADERS = z.object({
  'x-session-id': text(
    'Name of the conversation: its requests take the same route, and the console shows them as one session; at most 128 characters',
  ),
  'x-tollgate-fallback': text(
    'The fallback models that may answer: `none`, or names separated by commas; absent: all of the model’s',
  ),
  'x-tollgate-continue': text(
    '`on`: a stream that breaks off is continued by another attempt; `off`: it ends with an error; absent: as the operator set it',
  ),
});

/** On requests in Anthropic's dialect. */
export const ANTHROPIC_HEADERS = z.object({
  'anthropic-version': z
    .string()
    .optional()
    .meta({ description: 'Forwarded to the provider', example: '2023-06-01' }),
  'anthropic-beta': z.string().optional().meta({ description: 'Forwarded to the provider' }),
});
