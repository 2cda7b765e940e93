import type { ProviderError } from './provider-error.ts';

/**
 * What providers write when the operator's own account or key is the problem, with a status that usually blames the request:
 * Anthropic's 400 "Your credit balance is too low", Google's and xAI's 400 about the key, OpenAI's 429 about the quota.
 */
const ACCOUNT_MESSAGES =
  /credit balance is too low|insufficient (?:account )?(?:balance|funds|credits?|quota)|exceeded your current quota|(?:incorrect|invalid) api[ _-]?key|api[ _-]?key (?:is )?(?:not valid|invalid|expired)|(?:billing|account) (?:is )?(?:not active|disabled|suspended|deactivated)|spending limit|payment required/i;

/** True if a refusal is about the operator's account at the provider, so that the caller can do nothing about it. */
export function isAccountTrouble(status: number, { kind, message }: ProviderError): boolean {
  if (status === 401 || status === 402 || status === 403) return true;
  if (kind === 'billing_error' || kind === 'authentication_error') return true;
  return (status === 400 || status === 429) && ACCOUNT_MESSAGES.test(message);
}
