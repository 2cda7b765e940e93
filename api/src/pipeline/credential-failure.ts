import type { CredentialRefusal } from '../catalogue/credential-states.ts';
import type { Route } from '../catalogue/route.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { RoutePlan } from './route-plan.ts';
import { MISCONFIGURED_PROVIDER, NO_CREDIT_AT_PROVIDER } from './upstream-failure.ts';

/** Statuses that are about the credential: its permissions, its credit or its rate limits. */
const CREDENTIAL_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 429]);

const MODEL_WORD = /\bmodels?\b/i;

/** OpenRouter's 402 for a maximum that costs more than the credit that is left, which pays for other requests. */
const FEWER_TOKENS = /\bfewer max_tokens\b|\bcan only afford\b/i;

/** True: the body of the response says whether the credential is refused for good. */
export function isAboutCredentialStatus(status: number): boolean {
  return CREDENTIAL_STATUSES.has(status);
}

/** True: another credential of the same provider may serve the request. */
export function isAboutCredential({ status, error }: AttemptFailure): boolean {
  return (status !== null && isAboutCredentialStatus(status)) || isRefusal(error);
}

/** Orders the other credentials of the provider after a failure. */
export function planCredentials(plan: RoutePlan, route: Route, failure: AttemptFailure): void {
  if (!isAboutCredential(failure)) plan.postponeCredentials(route);
  else if (plan.hasOtherCredential(route)) plan.noteOtherCredential();
}

/**
 * Why a credential is set aside. A 403 or a 429 may be about the request, which a caller writes: only a message counts that is
 * certainly about the account of the gateway. A 403 that names a model is about the permission for this model only,
 * and a 402 that asks for fewer tokens is about the maximum of this request.
 * @param message what the provider said about the account, redacted; null: nothing certain
 * @returns null if the provider did not refuse it
 */
export function findCredentialRefusal(
  { status, error }: AttemptFailure,
  message: string | null,
): CredentialRefusal | null {
  const isCertain = status === 401 || status === 402 || (message !== null && isRefusal(error));
  if (!isCertain || isAboutRequest(status, message ?? '')) return null;
  return { cause: error === NO_CREDIT_AT_PROVIDER ? 'no_credit' : 'refused', message };
}

function isRefusal(error: AttemptFailure['error']): boolean {
  return error === MISCONFIGURED_PROVIDER || error === NO_CREDIT_AT_PROVIDER;
}

function isAboutRequest(status: number | null, message: string): boolean {
  return (status === 403 && MODEL_WORD.test(message)) || (status === 402 && FEWER_TOKENS.test(message));
}
