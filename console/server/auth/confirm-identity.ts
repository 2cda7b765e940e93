import { hasPassword } from '@tollgate/auth/password';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { markSessionConfirmed } from '@tollgate/db/queries/users/sessions';
import { findUserById, type User } from '@tollgate/db/queries/users/users';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import type { ActiveSession } from '../sessions.ts';
import { throttle } from './throttle.ts';

/** How long a re-authentication counts, for actions that weaken or delete a login. */
const CONFIRMED_MS = 10 * 60_000;

type SignedInContext = Context & { session: ActiveSession };

/** True if the user re-authenticated in this session within the last minutes. */
export function isConfirmed(session: ActiveSession, nowMs: number): boolean {
  return session.confirmedAt !== null && nowMs - session.confirmedAt.getTime() < CONFIRMED_MS;
}

/** The browser asks for it, and repeats the request. */
export function denyUnconfirmed() {
  return deny('FORBIDDEN', 'Confirm your identity to continue.', { reason: 'confirm_identity' });
}

/**
 * Checks the current password before a change of the login. Users without a password must have re-authenticated.
 * @throws BAD_REQUEST with `data.field` set to `field`
 */
export async function checkCurrentPassword(
  { deps, session }: SignedInContext,
  user: User | null,
  given: { password: string | undefined; field: string; message: string },
): Promise<void> {
  if (user !== null && !hasPassword(user)) {
    if (!isConfirmed(session, deps.clock.nowMs())) throw denyUnconfirmed();
    return;
  }
  const isRight = await deps.passwords.verify(user?.passwordHash ?? null, given.password ?? '');
  if (!isRight) throw deny('BAD_REQUEST', given.message, { field: given.field });
}

/** Re-authenticates with the password. A passkey does the same. */
export async function confirmByPassword(ctx: SignedInContext, password: string): Promise<void> {
  const { deps, session } = ctx;
  await throttle(ctx, { passwordBySession: [session.id] });
  const user = await findUserById(deps.db, session.user.id);
  const isRight = await deps.passwords.verify(user?.passwordHash ?? null, password);
  if (!isRight) throw deny('BAD_REQUEST', 'Wrong password.', { field: 'password' });
  await confirmSession(ctx);
}

/** Records the re-authentication of this session. */
export async function confirmSession({ deps, session }: SignedInContext): Promise<void> {
  const { id } = session.user;
  await markSessionConfirmed(deps.db, deps.sessions.hashId(session.id), new Date(deps.clock.nowMs()));
  await recordAudit(deps.db, { actorUserId: id, action: 'user.confirmed', subject: id });
}
