import type { Context } from '../context.ts';

/**
 * Whether the caller may read the mails that are kept for `/dev/mailbox`. They carry sign-in links, so they are
 * for whoever sits at this machine, and for the operator from anywhere.
 */
export function mayReadMailbox(ctx: Context): boolean {
  if (!ctx.deps.settings.hasMailbox) return false;
  return ctx.isLocalVisitor || ctx.session?.user.isOperator === true;
}
