import { markSecondFactor } from '@tollgate/db/queries/users/sessions';
import { isInStrictAccount } from '@tollgate/db/queries/accounts/two-factor-policy';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import type { ActiveSession } from '../sessions.ts';

type SignedInContext = Context & { session: ActiveSession };

/**
 * Whether enrolling a factor in this session counts as using it. If the user already had one, the session must have
 * used that one: a thief with the password must not enrol another factor.
 */
export function mayVouch({ secondFactor }: ActiveSession): boolean {
  return !secondFactor.isEnrolled || secondFactor.isConfirmed;
}

/** Records that a second factor was used in this session. */
export async function noteSecondFactor({ deps, session }: SignedInContext): Promise<void> {
  await markSecondFactor(deps.db, deps.sessions.hashId(session.id), new Date(deps.clock.nowMs()));
}

/**
 * Under a policy, refuses changes of second factors in a session that has not used the existing one. Otherwise a
 * stolen password could replace the factor and pass the policy.
 */
export async function checkFactorChange({ deps, session }: SignedInContext): Promise<void> {
  if (mayVouch(session)) return;
  if (session.secondFactor.isRequired || (await isInStrictAccount(deps.db, session.user.id)))
    throw deny('FORBIDDEN', 'Confirm with your passkey first.', { reason: 'two_factor_required' });
}

/** Refuses a policy change if the session itself has not used a second factor. */
export function checkOwnFactor({ secondFactor }: ActiveSession): void {
  if (!secondFactor.isConfirmed)
    throw deny('BAD_REQUEST', 'Set up two-factor authentication or confirm with your passkey first.', {
      reason: 'own_factor',
    });
}
