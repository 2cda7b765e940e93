export interface HeaderRow {
  header: string;
  /** Header name on `/v1/messages`, if it differs. */
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

/** On responses and on 429, if the key has a limit. */
export const LIMIT_HEADERS: readonly HeaderRow[] = [
  limit('requests', 'limit', 'Requests per minute'),
  limit('requests', 'remaining', 'Requests remaining'),
  limit('requests', 'reset', 'Time until the full limit is available; a timestamp in the Anthropic format'),
  limit('tokens', 'limit', 'Tokens per minute'),
  limit('tokens', 'remaining', 'Tokens remaining'),
  limit('tokens', 'reset', 'Time until the full limit is available'),
  { header: 'retry-after', tells: 'Seconds to wait before a retry, on 429 and 503' },
];

export const ANSWER_HEADERS: readonly HeaderRow[] = [
  {
    header: 'x-request-id',
    tells: 'Request ID, also shown in the request log; request-id on /v1/messages',
  },
  {
    header: 'x-tollgate-cost',
    tells: 'Cost of the request in USD; not sent on streams',
  },
  {
    header: 'x-tollgate-max-tokens',
    tells: 'Output token limit sent to the provider, if it was lowered',
  },
  {
    header: 'x-tollgate-dropped-params',
    tells: 'Parameters that the provider does not support and that were dropped',
  },
];
