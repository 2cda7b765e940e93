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
  limit(
    'requests',
    'reset',
    'Time until the full limit is available. In the Anthropic format: the time when it is',
  ),
  limit('tokens', 'limit', 'Tokens per minute'),
  limit('tokens', 'remaining', 'Tokens remaining'),
  limit('tokens', 'reset', 'As above, for tokens'),
  {
    header: 'retry-after',
    text: 'Seconds to wait before a retry. Absent if the same request would fail again',
  },
  { header: 'retry-after-ms', text: 'The same in milliseconds' },
  { header: 'x-should-retry', text: 'false if the same request would fail again. SDKs then do not retry' },
];

export const ANSWER_HEADERS: readonly HeaderRow[] = [
  {
    header: 'x-request-id',
    text: 'ID of the request, as in the request log. On /v1/messages: request-id',
  },
  {
    header: 'x-tollgate-cost',
    text: 'Cost of the request in USD. Not on streams',
  },
  {
    header: 'x-tollgate-max-tokens',
    text: 'Output token limit sent to the provider, if the gateway lowered it',
  },
  {
    header: 'x-tollgate-dropped-params',
    text: 'Parameters that were removed because the provider does not support them',
  },
  {
    header: 'x-tollgate-requested-model',
    text: 'The requested model. The response names the upstream model. On /v1/messages, and if the model has fallback models',
  },
  {
    header: 'x-tollgate-stored',
    text: 'Whether the response is stored: true or false. On /v1/responses, unless store is false',
  },
];
