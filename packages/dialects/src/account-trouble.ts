import { findForbiddenCause, withoutQuotes, type RefusalCause } from './forbidden-cause.ts';
import type { ProviderError } from './provider-error.ts';

/** A provider's error with a kind of any dialect. */
export type ReportedError = Omit<ProviderError, 'kind'> & { kind: string };

/**
 * What providers write when the operator's own account or key is the problem, with a status that usually blames the request:
 * Anthropic's 400 "Your credit balance is too low", Google's and xAI's 400 about the key, OpenAI's 429 about the quota.
 */
const ACCOUNT_MESSAGES =
  /credit balance is too low|insufficient (?:account )?(?:balance|funds|credits?|quota)|exceeded your current quota|(?:incorrect|invalid) api[ _-]?key|api[ _-]?key (?:is )?(?:not valid|invalid|expired)|(?:billing|account) (?:is )?(?:not active|disabled|suspended|deactivated)|spending limit|payment required/i;

/** The part of them that is about the credit of the account. */
const CREDIT_MESSAGES =
  /credit balance|insufficient (?:account )?(?:balance|funds|credits?|quota)|exceeded your current quota|spending limit|payment required|billing (?:is )?not active|requires more credits/i;

/** What the caller of a started response reads of such an error. */
export function getAccountErrorMessage(error: Pick<ReportedError, 'kind' | 'message'>): string {
  return isCreditTrouble(null, error)
    ? 'The account of this gateway at the provider has no credit.'
    : 'The provider refused the credential of this gateway.';
}

/**
 * True if an error about the operator's account is about its credit, not about the key or its permissions.
 * @param status null: unknown, or a success
 */
export function isCreditTrouble(
  status: number | null,
  { kind, message }: Pick<ReportedError, 'kind' | 'message'>,
): boolean {
  return status === 402 || kind === 'billing_error' || CREDIT_MESSAGES.test(message);
}

/**
 * Whether a refusal is about the operator's account at the provider, so that the caller can do nothing about it, or about the
 * request.
 */
export function findRefusalCause(status: number, error: ProviderError): RefusalCause {
  if (status === 401 || status === 402) return 'account';
  if (error.kind === 'billing_error' || error.kind === 'authentication_error') return 'account';
  if (status === 403) return findForbiddenCause(error);
  const isAccount = (status === 400 || status === 429) && ACCOUNT_MESSAGES.test(withoutQuotes(error.message));
  return isAccount ? 'account' : 'request';
}

/** The same for an error with a success status, by its kind. */
export function isAccountError({ kind, code, message }: ReportedError): boolean {
  switch (kind) {
    case 'authentication_error':
    case 'billing_error':
      return true;
    case 'permission_error':
      return findForbiddenCause({ code, message }) !== 'request';
    case 'invalid_request_error':
    case 'rate_limit_error':
      return ACCOUNT_MESSAGES.test(withoutQuotes(message));
    default:
      return false;
  }
}
