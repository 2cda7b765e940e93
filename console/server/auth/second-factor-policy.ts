import { markSecondFactor } from '@tollgate/db/queries/users/sessions';
import { isInStrictAccount } from '@tollgate/db/queries/accounts/two-factor-policy';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import type { ActiveSession } from '../sessions.ts';

type SignedInContext = Context & { session: ActiveSession };

/**
 * Whether a factor that is enrolled at this session counts as proven there. If the person had one before, the session
 * must have proven that one: a stolen password must not enrol a factor of its own next to it.
 */
export function mayVouch({ secondFactor }: ActiveSession): boolean {
  return !secondFactor.isEnrolled || secondFactor.isProven;
}

/** Writes down that the person at this session has just proven a second factor. */
export async function noteSecondFactor({ deps, session }: SignedInContext): Promise<void> {
  await markSecondFactor(deps.db, deps.sessions.hashId(session.id), new Date(deps.clock.nowMs()));
}

/**
 * Refuses changes of second factors at a session that has not proven the one that exists, wherever a policy asks for
 * one. Otherwise a stolen password could replace the factor and pass the policy.
 */
export async function checkFactorChange({ deps, session }: SignedInContext): Promise<void> {
  if (mayVouch(session)) return;
  if (session.secondFactor.isRequired || (await isInStrictAccount(deps.db, session.user.id)))
    throw deny('FORBIDDEN', 'Confirm with your passkey first.', { reason: 'two_factor_required' });
}

/** Refuses to require of others what the person at this session has not done. */
export function checkOwnFactor({ secondFactor }: ActiveSession): void {
  if (!secondFactor.isProven)
    throw deny('BAD_REQUEST', 'Set up two-factor sign-in or confirm with your passkey first.', {
      reason: 'own_factor',
    });
}
