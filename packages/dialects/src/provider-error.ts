/** The error kinds that providers of either dialect distinguish, under Anthropic's names. */
export type ProviderErrorKind =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'billing_error'
  | 'permission_error'
  | 'not_found_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'timeout_error'
  | 'overloaded_error'
  | 'api_error';

/** Of a provider's message, which is searched for what it is about. */
const MAX_ERROR_MESSAGE = 2_000;
/** Characters of credentials, also if they are escaped. */
const TOKEN_CHARACTER = /[\w.~+/=@%\\:-]/;

/** Cuts a provider's message. A word that would be divided is left out: no redaction finds the beginning of a credential. */
export function cutErrorMessage(message: string): string {
  if (message.length <= MAX_ERROR_MESSAGE) return message;
  let end = MAX_ERROR_MESSAGE;
  while (end > 0 && TOKEN_CHARACTER.test(message.charAt(end - 1))) end -= 1;
  return `${message.slice(0, end)}…`;
}

/** A provider's error as no dialect writes it. */
export interface ProviderError {
  kind: ProviderErrorKind;
  /** The provider's message, or a description of an answer without one. */
  message: string;
  /** The provider's own code, such as `context_length_exceeded`; null: it gives none. */
  code: string | null;
}

/** The kind of a status if the body is not more exact. */
export function errorKindOfStatus(status: number): ProviderErrorKind {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 402:
      return 'billing_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 408:
    case 504:
      return 'timeout_error';
    case 413:
      return 'request_too_large';
    case 429:
      return 'rate_limit_error';
    case 503:
    case 529:
      return 'overloaded_error';
    default:
      return status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error';
  }
}
