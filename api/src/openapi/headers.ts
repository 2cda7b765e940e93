import { z } from 'zod';

/** Headers of answers, as their descriptions. */
const text = (description: string) => z.string().optional().meta({ description });
const number = (description: string) => z.int().optional().meta({ description });

export const REQUEST_ID_HEADER = {
  'x-request-id': z.string().meta({ description: 'Names the request in the gateway’s log' }),
};

export const RETRY_AFTER_HEADER = {
  'retry-after': number('Seconds until the same request may pass'),
};

/** Of every answer of a model. */
export const COMPLETION_HEADERS = {
  ...REQUEST_ID_HEADER,
  'x-tollgate-cost': text('What the request cost in USD; not on streams'),
  'x-tollgate-dropped-params': text(
    'Members that the model’s provider has no place for, and that were left out, with commas between',
  ),
};

/** Where the key has a limit of requests or tokens. */
export const OPENAI_LIMIT_HEADERS = Object.fromEntries(
  ['requests', 'tokens'].flatMap((unit) => [
    [`x-ratelimit-limit-${unit}`, number(`The key’s ${unit} per minute`)],
    [`x-ratelimit-remaining-${unit}`, number(`What is left of them now`)],
    [`x-ratelimit-reset-${unit}`, text('Until all of them are back: 1500ms')],
  ]),
);

/** The same in Anthropic's words. */
export const ANTHROPIC_LIMIT_HEADERS = Object.fromEntries(
  ['requests', 'tokens'].flatMap((unit) => [
    [`anthropic-ratelimit-${unit}-limit`, number(`The key’s ${unit} per minute`)],
    [`anthropic-ratelimit-${unit}-remaining`, number(`What is left of them now`)],
    [`anthropic-ratelimit-${unit}-reset`, text('When all of them are back, as RFC 3339')],
  ]),
);
