import { findUserById } from '@tollgate/db/queries/users/users';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { enterFully, type Entry } from './enter.ts';
import { checkSecondFactor, denyCode } from './check-second-factor.ts';
import { secondFactorTicket } from './second-factor-ticket.ts';

/** The second step of a sign-in: the ticket of the first one, and a code that the authenticator or a sheet of paper gives. */
export async function enterCode(ctx: Context, code: string): Promise<Entry> {
  const ticket = secondFactorTicket.read(ctx);
  if (ticket === null) throw denyTicket();
  if (!(await checkSecondFactor(ctx, ticket.userId, code))) throw denyCode();
  const user = await findUserById(ctx.deps.db, ticket.userId);
  const entry = user === null ? null : await enterFully(ctx, user, { ...ticket, hasSecondFactor: true });
  // The password has changed since then: the old one must not sign in.
  if (entry === null) throw denyTicket();
  ctx.setCookie(secondFactorTicket.blank(ctx.deps));
  return entry;
}

function denyTicket() {
  return deny('BAD_REQUEST', 'The sign-in has expired. Sign in again.', { reason: 'sign_in_again' });
}
