import { z } from 'zod';

/** Response headers, and request headers specific to a dialect. */
const text = (description: string) => z.string().optional().meta({ description });
const number = (description: string) => z.int().optional().meta({ description });

/** On every response. */
export const ANSWER_HEADERS = z.object({
  'x-request-id': z.string().meta({ description: 'Names the request in the gateway’s log' }),
});

/** On responses that SDKs retry after a wait. */
export const RETRY_HEADERS = ANSWER_HEADERS.extend({
  'retry-after': number('Seconds until the same request may pass'),
});

const COMPLETION_HEADERS = ANSWER_HEADERS.extend({
  'x-tollgate-cost': text('What the request cost in USD; not on streams'),
  'x-tollgate-max-tokens': text(
    'The maximum of output tokens sent to the provider, if it is lower than what the request or the model allows',
  ),
  'x-tollgate-dropped-params': text(
    'Members that the model’s provider has no place for, and that were left out, with commas between',
  ),
});

/** On model responses; the limits are those of the key, if it has any. */
export const CHAT_COMPLETION_HEADERS = COMPLETION_HEADERS.extend({
  'x-ratelimit-limit-requests': number('Requests per minute'),
  'x-ratelimit-remaining-requests': number('What is left of them now'),
  'x-ratelimit-reset-requests': text('Until all of them are back: 1500ms'),
  'x-ratelimit-limit-tokens': number('Tokens per minute'),
  'x-ratelimit-remaining-tokens': number('What is left of them now'),
  'x-ratelimit-reset-tokens': text('Until all of them are back: 1500ms'),
});

/** The same in Anthropic's format. */
export const MESSAGE_HEADERS = COMPLETION_HEADERS.extend({
  'request-id': text('The same as x-request-id'),
  'anthropic-ratelimit-requests-limit': number('Requests per minute'),
  'anthropic-ratelimit-requests-remaining': number('What is left of them now'),
  'anthropic-ratelimit-requests-reset': text('When all of them are back, as RFC 3339'),
  'anthropic-ratelimit-tokens-limit': number('Tokens per minute'),
  'anthropic-ratelimit-tokens-remaining': number('What is left of them now'),
  'anthropic-ratelimit-tokens-reset': text('When all of them are back, as RFC 3339'),
});

/** On token counts. */
export const COUNT_HEADERS = ANSWER_HEADERS.extend({
  'request-id': text('The same as x-request-id'),
  'x-tollgate-cost': text('0.00'),
  'x-tollgate-estimated': text('`true` where the gateway counted, since no provider did'),
});

/** On requests in Anthropic's dialect. */
export const ANTHROPIC_HEADERS = z.object({
  'anthropic-version': z.string().optional().meta({ description: 'Handed on', example: '2023-06-01' }),
  'anthropic-beta': z.string().optional().meta({ description: 'Handed on' }),
});
