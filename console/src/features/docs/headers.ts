export interface HeaderRow {
  header: string;
  /** What it is called on `/v1/messages`, where it has another name there. */
  anthropic?: string;
  tells: string;
}

const limit = (
  what: 'requests' | 'tokens',
  part: 'limit' | 'remaining' | 'reset',
  tells: string,
): HeaderRow => ({
  header: `x-ratelimit-${part}-${what}`,
  anthropic: `anthropic-ratelimit-${what}-${part}`,
  tells,
});

/** On answers and on 429, where the key has a limit. */
export const LIMIT_HEADERS: readonly HeaderRow[] = [
  limit('requests', 'limit', 'Requests per minute'),
  limit('requests', 'remaining', 'Requests that are left now'),
  limit('requests', 'reset', 'When all of them are back: a span, on Anthropic’s dialect a moment'),
  limit('tokens', 'limit', 'Tokens per minute'),
  limit('tokens', 'remaining', 'Tokens that are left now'),
  limit('tokens', 'reset', 'When all of them are back'),
  { header: 'retry-after', tells: 'On 429 and 503: after so many seconds the same request may pass' },
];

export const ANSWER_HEADERS: readonly HeaderRow[] = [
  {
    header: 'x-request-id',
    tells: 'Names the request, in the request log too; also as request-id on /v1/messages',
  },
  {
    header: 'x-tollgate-cost',
    tells: 'What the request cost in USD; not on streams, whose cost is not known yet',
  },
  {
    header: 'x-tollgate-max-tokens',
    tells: 'The maximum of output tokens sent to the provider, if lower than the request’s or the model’s',
  },
  {
    header: 'x-tollgate-dropped-params',
    tells: 'What the model’s provider has no place for, and was left out',
  },
];
