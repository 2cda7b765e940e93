import { spendTicket } from '@tollgate/db/queries/users/second-factors';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { createTicketKind, hashTicket } from './sealed-ticket.ts';

type PasskeyUse = 'register' | 'sign_in' | 'confirm';

/** The challenge that a browser's authenticator has to sign. Sign-in pages wait with it for a while. */
const passkeyTicket = createTicketKind({
  cookie: 'tollgate_passkey',
  context: 'passkey ticket',
  lifeSeconds: 15 * 60,
  schema: z.object({
    use: z.enum(['register', 'sign_in', 'confirm']),
    challenge: z.string(),
    /** null if the user is not known yet. */
    userId: z.string().nullable(),
  }),
});

export function issueChallenge(
  ctx: Context,
  ticket: { use: PasskeyUse; challenge: string; userId: string | null },
): void {
  ctx.setCookie(passkeyTicket.issue(ctx.deps, ticket));
}

/** Takes the challenge of this browser: for this use and this person, and once. @throws BAD_REQUEST */
export async function takeChallenge(
  ctx: Context,
  expected: { use: PasskeyUse; userId: string | null },
): Promise<string> {
  const { deps } = ctx;
  const ticket = passkeyTicket.read(ctx);
  ctx.setCookie(passkeyTicket.blank(deps));
  const isRight = ticket !== null && ticket.use === expected.use && ticket.userId === expected.userId;
  if (!isRight) throw denyChallenge();
  const hash = hashTicket(ticket.challenge);
  if (!(await spendTicket(deps.db, { hash, expiresAt: passkeyTicket.endsAt(deps) }))) throw denyChallenge();
  return ticket.challenge;
}

function denyChallenge() {
  return deny('BAD_REQUEST', 'This passkey request has expired or was already used. Try again.');
}
