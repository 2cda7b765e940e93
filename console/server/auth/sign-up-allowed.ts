import { hasLiveInvitation } from '@tollgate/db/queries/team/invites';
import { readSignUpPolicy, type SignUpPolicy } from '@tollgate/db/queries/users/sign-up-policy';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';

/**
 * Refuses a new user if sign-up is closed or limited to other domains. Invitees and users with the operator link can
 * always sign up.
 * @param newcomer.hasOperatorLink whether the operator link is valid
 */
export async function checkSignUpAllowed(
  ctx: Context,
  newcomer: { email: string; hasOperatorLink: boolean },
): Promise<void> {
  const { db, clock } = ctx.deps;
  const policy = await readSignUpPolicy(db);
  if (newcomer.hasOperatorLink || isWelcome(policy, newcomer.email)) return;
  if (await hasLiveInvitation(db, newcomer.email, new Date(clock.nowMs()))) return;
  throw deny('FORBIDDEN', getRefusal(policy), { reason: 'sign_up_closed', field: 'email' });
}

function isWelcome({ signUp, domains }: SignUpPolicy, email: string): boolean {
  if (signUp === 'open') return true;
  return signUp === 'domains' && domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}

function getRefusal({ signUp, domains }: SignUpPolicy): string {
  return signUp === 'domains'
    ? `Only email addresses of ${domains.join(', ')} can sign up.`
    : 'Sign-up is by invitation only. Ask a member of an account to invite you.';
}
