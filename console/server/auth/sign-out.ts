import { recordAudit } from '@tollgate/db/queries/audit/audit';
import type { Context } from '../context.ts';
import type { ActiveSession } from '../sessions.ts';

/** Ends the session of the cookie, if there is one, and deletes the cookie. */
export async function signOut(ctx: Context): Promise<void> {
  if (ctx.session !== null) await ctx.deps.sessions.end(ctx.session.id);
  ctx.setCookie(ctx.deps.sessions.blankCookie());
}

/** Ends every session of a person, this one too. */
export async function signOutEverywhere(ctx: Context & { session: ActiveSession }): Promise<void> {
  const { db, sessions } = ctx.deps;
  const { id } = ctx.session.user;
  await sessions.endAll(id);
  await recordAudit(db, { actorUserId: id, action: 'user.sessions_ended', subject: id });
  ctx.setCookie(sessions.blankCookie());
}
