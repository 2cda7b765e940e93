import { asObject, parseJson, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/**
 * Converts a cloud error to an error of Anthropic's dialect; an error of the model's maker is unchanged. Amazon sends
 * `{message}` or `{Message}`, Google `{error:{message}}`, in streams as a list.
 */
export function encodeEnvelopeError(status: number, body: string): string {
  const said = parseJsonObject(body) ?? parseFirst(body);
  if (said?.['type'] === 'error' && asObject(said['error']) !== null) return JSON.stringify(said);
  const message = said?.['message'] ?? said?.['Message'] ?? asObject(said?.['error'])?.['message'];
  return JSON.stringify({
    type: 'error',
    error: {
      type: TYPES[status] ?? 'api_error',
      message: typeof message === 'string' && message !== '' ? message : `The provider answered ${status}`,
    },
  });
}

function parseFirst(body: string): JsonObject | null {
  const parsed = parseJson(body);
  return Array.isArray(parsed) ? asObject(parsed[0]) : null;
}
