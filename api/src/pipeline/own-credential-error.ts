import type { GatewayError } from '@tollgate/core/errors/errors';
import type { Route } from '../catalogue/route.ts';
import { MISCONFIGURED_PROVIDER, NO_CREDIT_AT_PROVIDER } from './upstream-failure.ts';

/** The credential that the account attached cannot be used, and it wants no other one. */
export const OWN_CREDENTIAL_UNUSABLE: GatewayError = {
  code: 'own_credential_refused',
  message:
    "Your account's own credential for the provider of this model can no longer be used. Replace or remove it in the console.",
};

const REFUSED: GatewayError = {
  code: 'own_credential_refused',
  message:
    "The provider of this model refused your account's own credential. Replace or remove it in the console.",
};

const NO_CREDIT: GatewayError = {
  code: 'own_credential_refused',
  message:
    'The provider of this model says that the account of your own credential has no credit. Top it up at the provider, or remove the credential in the console.',
};

/** The error of an attempt: one about the account at the provider is about the caller's, if the credential is. */
export function toOwnError({ isOwn }: Route, error: GatewayError): GatewayError {
  // An error with the time until another route may answer is a copy.
  const { code, message, ...hint } = error;
  if (!isOwn || code !== MISCONFIGURED_PROVIDER.code) return error;
  return { ...(message === NO_CREDIT_AT_PROVIDER.message ? NO_CREDIT : REFUSED), ...hint };
}
