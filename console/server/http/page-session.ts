import { findViewing } from '@tollgate/db/queries/operator/impersonation';
import { findMembership } from '@tollgate/db/queries/team/members';
import type { Context } from 'hono';
import type { Deps } from '../deps.ts';
import { isBarred, type ActiveSession } from '../sessions.ts';
import type { AppEnv } from './app-env.ts';

/** @returns the session behind a page that the server writes; null without a verified email or a required second factor */
export async function readPageSession(c: Context<AppEnv>, deps: Deps): Promise<ActiveSession | null> {
  const id = deps.sessions.readId(c.req.header('cookie') ?? null);
  const found = id === null ? null : await deps.sessions.validate(id);
  if (found === null) return null;
  if (found.cookie !== null) c.header('set-cookie', found.cookie, { append: true });
  return found.session.user.emailVerified && !isBarred(found.session) ? found.session : null;
}

/** An operator who views an account reads it as a viewer. The installation's own policy has already checked them. */
const VIEWED = { role: 'viewer', requiresTwoFactor: false } as const;

/** What the user of a session is in an account; null: not a member, and no operator who views it. */
export async function findPageMembership(
  deps: Deps,
  session: ActiveSession,
  accountId: string,
): Promise<Awaited<ReturnType<typeof findMembership>>> {
  const { id, isOperator } = session.user;
  if (isOperator) {
    const now = new Date(deps.clock.nowMs());
    const viewing = await findViewing(deps.db, { idHash: deps.sessions.hashId(session.id), now });
    if (viewing?.accountId === accountId) return VIEWED;
  }
  return findMembership(deps.db, { userId: id, accountId });
}
