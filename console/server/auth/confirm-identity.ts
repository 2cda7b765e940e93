import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { markSessionConfirmed } from '@tollgate/db/queries/users/sessions';
import { findUserById } from '@tollgate/db/queries/users/users';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import type { ActiveSession } from '../sessions.ts';
import { throttle } from './throttle.ts';

/** How long a fresh proof counts, for what weakens a login or ends it. */
const CONFIRMED_MS = 10 * 60_000;

type SignedInContext = Context & { session: ActiveSession };

/** True if the person has proven again, within the last minutes, that it is them who sits at this session. */
export function isConfirmed(session: ActiveSession, nowMs: number): boolean {
  return session.confirmedAt !== null && nowMs - session.confirmedAt.getTime() < CONFIRMED_MS;
}

/** Takes the password as proof that it is still the person who signed in. A passkey does the same. */
export async function confirmByPassword(ctx: SignedInContext, password: string): Promise<void> {
  const { deps, session } = ctx;
  await throttle(ctx, { passwordBySession: [session.id] });
  const user = await findUserById(deps.db, session.user.id);
  const isRight = await deps.passwords.verify(user?.passwordHash ?? null, password);
  if (!isRight) throw deny('BAD_REQUEST', 'Wrong password.', { field: 'password' });
  await confirmSession(ctx);
}

/** Writes down that the person has just proven again that it is them. */
export async function confirmSession({ deps, session }: SignedInContext): Promise<void> {
  const { id } = session.user;
  await markSessionConfirmed(deps.db, deps.sessions.hashId(session.id), new Date(deps.clock.nowMs()));
  await recordAudit(deps.db, { actorUserId: id, action: 'user.confirmed', subject: id });
}
