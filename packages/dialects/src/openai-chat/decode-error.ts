import { asObject, type JsonObject } from '../json/parse-object.ts';
import { CONTEXT_LENGTH_EXCEEDED, readErrorCode } from '../error-code.ts';
import {
  cutErrorMessage,
  errorKindOfStatus,
  type ProviderError,
  type ProviderErrorKind,
} from '../provider-error.ts';
import { holdsError } from '../says-error.ts';
import { readErrorText } from './error-message.ts';
import { getFailedChoice } from './is-error.ts';

/** Error kinds by `type` or `code`, which are more exact than a status. */
const KINDS = new Map<string, ProviderErrorKind>([
  ['invalid_request_error', 'invalid_request_error'],
  [CONTEXT_LENGTH_EXCEEDED, 'invalid_request_error'],
  ['authentication_error', 'authentication_error'],
  ['invalid_api_key', 'authentication_error'],
  ['permission_error', 'permission_error'],
  ['permission_denied', 'permission_error'],
  ['insufficient_quota', 'billing_error'],
  ['billing_error', 'billing_error'],
  ['model_not_found', 'not_found_error'],
  ['not_found_error', 'not_found_error'],
  ['rate_limit_exceeded', 'rate_limit_error'],
  ['rate_limit_error', 'rate_limit_error'],
  ['overloaded_error', 'overloaded_error'],
  ['timeout_error', 'timeout_error'],
  ['server_error', 'api_error'],
  ['api_error', 'api_error'],
]);

/**
 * Reads the body of an answer that is an error, of whichever form: OpenAI's `error` object, xAI's `error` string with
 * a `code`, Mistral's `message` or `detail`, Google's list of one, or a page of HTML.
 * @param body the parsed body; its text if it is not JSON
 */
export function decodeOpenAiError(status: number, body: unknown): ProviderError {
  const object = asObject(Array.isArray(body) ? body[0] : body);
  const inner = object === null ? null : errorIn(object);
  const unreadable = describeUnreadable(status, typeof body === 'string' ? body.trim() : '');
  return describe(inner ?? {}, status, unreadable);
}

/** Reads the error inside a stream whose status was 200. */
export function decodeOpenAiStreamError(event: JsonObject): ProviderError {
  const inner = errorIn(event);
  const code = Number(inner['code'] ?? inner['status_code'] ?? inner['status']);
  const status = code >= 400 && code < 600 ? code : 500;
  return describe(inner, status, 'The provider reported an error without saying which.');
}

function describe(error: JsonObject, status: number, unreadable: string): ProviderError {
  const kind = getKind(error, status) ?? errorKindOfStatus(status);
  const message = getMessage(error) ?? unreadable;
  const code = readErrorCode(kind, { code: error['code'], type: error['type'], message });
  return { kind, message, code };
}

/** The object that says most about the error. */
function errorIn(object: JsonObject): JsonObject {
  const teller = holdsError(object) ? object : (getFailedChoice(object) ?? object);
  return asObject(teller['error']) ?? teller;
}

function getKind(error: JsonObject, status: number): ProviderErrorKind | null {
  const named = [error['code'], error['type']].map((name) =>
    typeof name === 'string' ? KINDS.get(name) : undefined,
  );
  const kind = named.find((found) => found !== undefined) ?? null;
  // `invalid_request_error` is also what OpenAI calls a wrong key: there the status is more exact.
  return kind === 'invalid_request_error' || kind === 'api_error' ? kindByStatus(status, kind) : kind;
}

function kindByStatus(status: number, kind: ProviderErrorKind): ProviderErrorKind {
  const known = errorKindOfStatus(status);
  return known === 'api_error' || known === 'invalid_request_error' ? kind : known;
}

function getMessage(error: JsonObject): string | null {
  const raw = asObject(error['metadata'])?.['raw'];
  for (const found of [error['message'], error['error'], error['detail']]) {
    const text = readErrorText(found);
    if (text !== null)
      // OpenRouter puts its provider's message into `metadata.raw`; its own message says nothing.
      return cutErrorMessage(typeof raw === 'string' && raw !== '' ? `${text}: ${raw}` : text);
    if (typeof found === 'object' && found !== null) return cutErrorMessage(JSON.stringify(found));
  }
  return null;
}

function describeUnreadable(status: number, text: string): string {
  const isShort = text !== '' && text.length <= 200 && !text.startsWith('<');
  return `The provider answered with status ${status}${isShort ? `: ${text}` : ' and no readable message.'}`;
}
