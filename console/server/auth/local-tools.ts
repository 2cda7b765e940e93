import { hash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { isBarred } from '../sessions.ts';
import { createTicketKind } from './sealed-ticket.ts';

/** Ends with the token that it was opened by: a start with another token closes it. */
const ticketKind = createTicketKind({
  cookie: 'tollgate_local_tools',
  context: 'local tools',
  lifeSeconds: 12 * 3600,
  schema: z.object({ tokenHash: z.string() }),
});

/**
 * Opens the mailbox and the test payments to the browser that shows the secret of the link printed at startup.
 * @returns the `Set-Cookie` value; null if the secret is wrong or the installation has no such tools
 */
export function openLocalTools(deps: Deps, token: string): string | null {
  const { localToolsToken } = deps.settings;
  if (localToolsToken === null) return null;
  const [shown, expected] = [hashToken(token), hashToken(localToolsToken)];
  if (!timingSafeEqual(shown, expected)) return null;
  return ticketKind.issue(deps, { tokenHash: expected.toString('hex') });
}

/**
 * Whether the caller may use the mailbox and the test payments: with the cookie of the startup link, or as an
 * operator. The caller's address does not count, because all visitors of a proxy have the proxy's address.
 */
export function mayUseLocalTools(ctx: Pick<Context, 'deps' | 'session' | 'readCookie'>): boolean {
  const { localToolsToken } = ctx.deps.settings;
  if (localToolsToken === null) return false;
  if (ctx.session?.user.isOperator === true && !isBarred(ctx.session)) return true;
  return ticketKind.read(ctx)?.tokenHash === hashToken(localToolsToken).toString('hex');
}

function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
