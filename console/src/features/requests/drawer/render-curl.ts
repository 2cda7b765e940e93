import { quoteForShell } from '@tollgate/core/code-samples/quote-for-shell';

interface LoggedRequest {
  /** Ends with `/v1`. */
  baseUrl: string;
  /** `/v1/messages` */
  endpoint: string;
  /** The whole body as it was sent. */
  body: string;
}

/** The command that sends a logged request again, with the key of the environment. */
export function renderCurl({ baseUrl, endpoint, body }: LoggedRequest): string {
  const url = baseUrl.replace(/\/v1\/?$/, '') + endpoint;
  const key = endpoint.startsWith('/v1/messages')
    ? ['-H "x-api-key: $TOLLGATE_API_KEY"', "-H 'anthropic-version: 2023-06-01'"]
    : ['-H "authorization: Bearer $TOLLGATE_API_KEY"'];
  return [
    `curl ${quoteForShell(url)}`,
    ...key,
    "-H 'content-type: application/json'",
    `--data-raw ${quoteForShell(body)}`,
  ].join(' \\\n  ');
}
