import { initTRPC } from '@trpc/server';
import { PasswordHasherBusyError } from '@tollgate/auth/password';
import { hasRole, type Role } from '@tollgate/core/roles';
import { findRole } from '@tollgate/db/queries/members';
import { z, ZodError } from 'zod';
import type { Context } from './context.ts';
import { Denial, deny, notFound } from './denial.ts';
import { listFieldIssues } from './zod-issues.ts';

/** A full line of passwords is worked off in about that time. */
const BUSY_RETRY_SECONDS = 3;

/**
 * The ladder that every procedure stands on: public → signed in → member of the account with a role → with a
 * verified e-mail. Each step checks by itself, so a procedure cannot be put on one without its check.
 */
const t = initTRPC.context<Context>().create({
  isDev: false,
  errorFormatter({ shape, error }) {
    const detail = error.cause instanceof Denial ? error.cause.detail : {};
    const zodIssues = error.cause instanceof ZodError ? listFieldIssues(error.cause) : null;
    return {
      ...shape,
      message: messageOf(error, zodIssues?.[0]?.message ?? null),
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path ?? null,
        reason: detail.reason ?? null,
        field: detail.field ?? null,
        retryAfterSeconds: detail.retryAfterSeconds ?? null,
        zodIssues,
      },
    };
  },
});

export const router = t.router;

export const publicProcedure = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok && result.error.cause instanceof PasswordHasherBusyError) throw denyBusy();
  return result;
});

export const signedInProcedure = publicProcedure.use(async ({ ctx, next }) => {
  if (ctx.session === null) throw deny('UNAUTHORIZED', 'Sign in to continue.');
  return next({ ctx: { session: ctx.session } });
});

/** @param least the role that is needed at least, in the account that the input names */
export function memberProcedure(least: Role) {
  return signedInProcedure
    .input(z.object({ accountId: z.string().max(64) }))
    .use(async ({ ctx, input, next }) => {
      const role = await findRole(ctx.deps.db, { userId: ctx.session.user.id, accountId: input.accountId });
      if (role === null) throw notFound('account');
      if (!hasRole(role, least))
        throw deny('FORBIDDEN', `Your role in this account is ${role}: this needs a ${least}.`, {
          reason: 'role',
        });
      return next({ ctx: { account: { id: input.accountId, role } } });
    });
}

export function verifiedMemberProcedure(least: Role) {
  return memberProcedure(least).use(async ({ ctx, next }) => {
    if (!ctx.session.user.emailVerified)
      throw deny('FORBIDDEN', 'Verify your e-mail address first.', { reason: 'email_not_verified' });
    return next();
  });
}

function denyBusy() {
  return deny('TOO_MANY_REQUESTS', 'Many people are signing in right now. Try again in a few seconds.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

function messageOf(error: { code: string; message: string }, firstIssue: string | null): string {
  if (firstIssue !== null) return firstIssue;
  // Whatever broke may name tables, hosts or values: that is for the log.
  if (error.code === 'INTERNAL_SERVER_ERROR')
    return 'Something went wrong on our side. Try again in a moment.';
  return error.message;
}
