import type { ProviderError } from './provider-error.ts';

/** A provider's error with a kind of any dialect. */
export type ReportedError = Omit<ProviderError, 'kind'> & { kind: string };

/**
 * What providers write when the operator's own account or key is the problem, with a status that usually blames the request:
 * Anthropic's 400 "Your credit balance is too low", Google's and xAI's 400 about the key, OpenAI's 429 about the quota.
 */
const ACCOUNT_MESSAGES =
  /credit balance is too low|insufficient (?:account )?(?:balance|funds|credits?|quota)|exceeded your current quota|(?:incorrect|invalid) api[ _-]?key|api[ _-]?key (?:is )?(?:not valid|invalid|expired)|(?:billing|account) (?:is )?(?:not active|disabled|suspended|deactivated)|spending limit|payment required/i;

/** What the caller of a started response reads of such an error. */
export const ACCOUNT_ERROR_MESSAGE = 'The provider refused the credential of this gateway.';

/** True if a refusal is about the operator's account at the provider, so that the caller can do nothing about it. */
export function isAccountTrouble(status: number, { kind, message }: ProviderError): boolean {
  if (status === 401 || status === 402 || status === 403) return true;
  if (kind === 'billing_error' || kind === 'authentication_error') return true;
  return (status === 400 || status === 429) && ACCOUNT_MESSAGES.test(message);
}

/** The same for an error with a success status, by its kind. */
export function isAccountError({ kind, message }: Pick<ReportedError, 'kind' | 'message'>): boolean {
  switch (kind) {
    case 'authentication_error':
    case 'permission_error':
    case 'billing_error':
      return true;
    case 'invalid_request_error':
    case 'rate_limit_error':
      return ACCOUNT_MESSAGES.test(message);
    default:
      return false;
  }
}
