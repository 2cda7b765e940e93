import { initTRPC } from '@trpc/server';
import { PasswordHasherBusyError } from '@tollgate/auth/password';
import { hasRole, type Role } from '@tollgate/core/people/roles';
import { isStorable } from '@tollgate/core/text/printable';
import { findMembership } from '@tollgate/db/queries/team/members';
import { z, ZodError } from 'zod';
import { denyUnconfirmed, isConfirmed } from './auth/confirm-identity.ts';
import { checkFactorChange } from './auth/second-factor-policy.ts';
import type { Context } from './context.ts';
import { Denial, deny } from './denial.ts';
import { isBarred } from './sessions.ts';
import { listFieldIssues } from './zod-issues.ts';

/** A full line of passwords is worked off in about that time. */
const BUSY_RETRY_SECONDS = 3;

const PING_EVERY_MS = 10_000;
const MAX_STREAM_MS = 15 * 60_000;

/**
 * The base procedures: public → signed in (for enrolment) → past the two-factor policy → member of the account with a
 * role → with a verified email; in addition, operator. Each includes its own check, so no procedure can use one
 * without it.
 */
const t = initTRPC.context<Context>().create({
  isDev: false,
  sse: {
    // Proxies close idle connections, and browsers do not notice a dead one.
    ping: { enabled: true, intervalMs: PING_EVERY_MS },
    client: { reconnectAfterInactivityMs: 3 * PING_EVERY_MS },
    // The browser comes back automatically, and its session is looked at again.
    maxDurationMs: MAX_STREAM_MS,
  },
  errorFormatter({ shape, error }) {
    const detail = error.cause instanceof Denial ? error.cause.detail : {};
    const zodIssues =
      error.cause instanceof ZodError ? listFieldIssues(error.cause) : (detail.issues ?? null);
    return {
      ...shape,
      message: getMessage(error, zodIssues?.[0]?.message ?? null),
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

/** In a sentence. */
const ROLE_NAMES: Record<Role, string> = {
  owner: 'its owner',
  admin: 'an admin',
  member: 'a member',
  viewer: 'a viewer',
};

/** What an operator may do while they look at someone's account: stop. */
const WHILE_VIEWING: ReadonlySet<string> = new Set(['operator.viewing.end', 'auth.signOut']);

export const publicProcedure = t.procedure.use(async ({ ctx, next, type, path, getRawInput }) => {
  if (ctx.viewing !== null && type === 'mutation' && !WHILE_VIEWING.has(path)) throw denyViewing();
  if (!isStorable(await getRawInput()))
    throw deny('BAD_REQUEST', 'The input contains a character that cannot be stored. Remove it.');
  const result = await next();
  if (!result.ok && result.error.cause instanceof PasswordHasherBusyError) throw denyBusy();
  return result;
});

/**
 * A session, even if a two-factor policy excludes it from everything else: only for enrolling a second factor and the
 * steps before that.
 */
export const enrolmentProcedure = publicProcedure.use(async ({ ctx, next }) => {
  if (ctx.session === null) throw deny('UNAUTHORIZED', 'Sign in to continue.');
  return next({ ctx: { session: ctx.session } });
});

/** Changes a second factor: requires a verified email, re-authentication, and the existing factor. */
export const factorProcedure = enrolmentProcedure.use(async ({ ctx, next }) => {
  if (!ctx.session.user.emailVerified) throw denyUnverified();
  if (!isConfirmed(ctx.session, ctx.deps.clock.nowMs())) throw denyUnconfirmed();
  await checkFactorChange(ctx);
  return next();
});

export const signedInProcedure = enrolmentProcedure.use(async ({ ctx, next }) => {
  if (isBarred(ctx.session)) throw denyWithoutFactor();
  return next();
});

export const verifiedProcedure = signedInProcedure.use(async ({ ctx, next }) => {
  if (!ctx.session.user.emailVerified) throw denyUnverified();
  return next();
});

/**
 * For actions that weaken or delete a login: this session must have re-authenticated within the last minutes, so an
 * open browser is not enough.
 */
export const confirmedProcedure = verifiedProcedure.use(async ({ ctx, next }) => {
  if (!isConfirmed(ctx.session, ctx.deps.clock.nowMs())) throw denyUnconfirmed();
  return next();
});

/** @param least the minimum role in the account of the input */
export function memberProcedure(least: Role) {
  return signedInProcedure
    .input(z.object({ accountId: z.string().max(64) }))
    .use(async ({ ctx, input, next }) => {
      const isViewed = ctx.viewing?.accountId === input.accountId;
      const member = { userId: ctx.session.user.id, accountId: input.accountId };
      const membership = isViewed ? VIEWED : await findMembership(ctx.deps.db, member);
      if (membership === null) throw noSuchAccount();
      const { role, requiresTwoFactor } = membership;
      if (requiresTwoFactor && !ctx.session.secondFactor.isConfirmed) throw denyWithoutFactor();
      if (!hasRole(role, least) && isViewed) throw denyBeyondViewing();
      if (!hasRole(role, least))
        throw deny('FORBIDDEN', `Your role in this account is ${role}. This requires ${ROLE_NAMES[least]}.`, {
          reason: 'role',
        });
      return next({ ctx: { account: { id: input.accountId, role } } });
    });
}

export function verifiedMemberProcedure(least: Role) {
  return memberProcedure(least).use(async ({ ctx, next }) => {
    if (!ctx.session.user.emailVerified) throw denyUnverified();
    return next();
  });
}

/** For transferring or exposing an account: requires re-authentication, like `confirmedProcedure`. */
export function confirmedMemberProcedure(least: Role) {
  return verifiedMemberProcedure(least).use(async ({ ctx, next }) => {
    if (!isConfirmed(ctx.session, ctx.deps.clock.nowMs())) throw denyUnconfirmed();
    return next();
  });
}

/** The installation's own policy has already checked the viewing operator. */
const VIEWED = { role: 'viewer', requiresTwoFactor: false } as const;

function denyWithoutFactor() {
  return deny('FORBIDDEN', 'This requires two-factor authentication. Set it up or confirm it first.', {
    reason: 'two_factor_required',
  });
}

function denyUnverified() {
  return deny('FORBIDDEN', 'Verify your email address first.', { reason: 'email_not_verified' });
}

/** An operator with a verified email; roles in accounts do not matter. */
export const operatorProcedure = signedInProcedure.use(async ({ ctx, next }) => {
  const { isOperator, emailVerified } = ctx.session.user;
  if (!isOperator) throw deny('FORBIDDEN', 'Only operators can do this.', { reason: 'role' });
  if (!emailVerified)
    throw deny('FORBIDDEN', 'Verify your email address first.', { reason: 'email_not_verified' });
  return next();
});

/** For changes of another user's login: the operator must have re-authenticated. */
export const confirmedOperatorProcedure = operatorProcedure.use(async ({ ctx, next }) => {
  if (!isConfirmed(ctx.session, ctx.deps.clock.nowMs())) throw denyUnconfirmed();
  return next();
});

/** The same words whether there is none of that id or the person does not belong to it (any more). */
function noSuchAccount() {
  return deny('NOT_FOUND', 'This account does not exist.', { reason: 'membership' });
}

function denyViewing() {
  const message = 'You cannot make changes while viewing an account. Exit first.';
  return deny('FORBIDDEN', message, { reason: 'viewing' });
}

/** For members only: operators who view the account are refused. */
function denyBeyondViewing() {
  const message = 'Only members of the account can see this.';
  return deny('FORBIDDEN', message, { reason: 'viewing' });
}

function denyBusy() {
  return deny('TOO_MANY_REQUESTS', 'Too many sign-ins at the moment. Try again in a few seconds.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

function getMessage(error: { code: string; message: string }, firstIssue: string | null): string {
  if (firstIssue !== null) return firstIssue;
  // The error may contain tables, hosts or values, which belong only in the log.
  if (error.code === 'INTERNAL_SERVER_ERROR') return 'Something went wrong. Try again in a moment.';
  return error.message;
}
