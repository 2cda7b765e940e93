export interface HeaderRow {
  header: string;
  /** Header name on `/v1/messages`, if it differs. */
  anthropic?: string;
  text: string;
}

const limit = (
  what: 'requests' | 'tokens',
  part: 'limit' | 'remaining' | 'reset',
  text: string,
): HeaderRow => ({
  header: `x-ratelimit-${part}-${what}`,
  anthropic: `anthropic-ratelimit-${what}-${part}`,
  text,
});

/** On responses and on 429, if the key has a limit. */
export const LIMIT_HEADERS: readonly HeaderRow[] = [
  limit('requests', 'limit', 'Requests per minute'),
  limit('requests', 'remaining', 'Requests remaining'),
  limit('requests', 'reset', 'Time until the full limit is available; a timestamp in the Anthropic format'),
  limit('tokens', 'limit', 'Tokens per minute'),
  limit('tokens', 'remaining', 'Tokens remaining'),
  limit('tokens', 'reset', 'Time until the full limit is available'),
  { header: 'retry-after', text: 'Seconds to wait before a retry; absent if a retry cannot help' },
  { header: 'retry-after-ms', text: 'The same wait in milliseconds' },
  { header: 'x-should-retry', text: 'false on errors that a retry cannot change; SDKs then stop' },
];

export const ANSWER_HEADERS: readonly HeaderRow[] = [
  {
    header: 'x-request-id',
    text: 'Request ID, also shown in the request log; request-id on /v1/messages',
  },
  {
    header: 'x-tollgate-cost',
    text: 'Cost of the request in USD; not sent on streams',
  },
  {
    header: 'x-tollgate-max-tokens',
    text: 'Output token limit sent to the provider, if it was lowered',
  },
  {
    header: 'x-tollgate-dropped-params',
    text: 'Parameters that the provider does not support and that were dropped',
  },
  {
    header: 'x-tollgate-stored',
    text: 'true if the response was stored, false if not; on /v1/responses, unless store is false',
  },
];
