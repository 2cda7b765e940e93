import { oneTimeCodeSchema, PASSWORD_MAX_LENGTH } from '@tollgate/core/keys/credentials';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { deleteSessionOfUser, deleteSessionsOfUser, listSessions } from '@tollgate/db/queries/users/sessions';
import type { IdentityProvider } from '@tollgate/db/queries/users/identities';
import { z } from 'zod';
import { confirmByCode, sendConfirmationCode } from './confirm-by-email.ts';
import { confirmByPassword } from './confirm-identity.ts';
import { findConfirmationMethods } from './external/confirm.ts';
import { notFound } from '../denial.ts';
import { enrolmentProcedure, router, signedInProcedure } from '../trpc.ts';
import type { Done } from './router.ts';
import type { Resend } from './throttle.ts';

export interface SessionRow {
  /** The hash of the cookie's value, which cannot sign in. */
  id: string;
  isThisOne: boolean;
  /** What its browser said of itself; null: nothing. */
  userAgent: string | null;
  /** Where it was last seen from; of IPv6 the network. null: unknown. */
  address: string | null;
  createdAt: string;
  lastSeenAt: string;
}

export interface ConfirmationMethods {
  /** Only the password or a passkey counts. False: a provider, or an emailed code. */
  hasPassword: boolean;
  /** Linked providers where the user can sign in again. */
  providers: { id: IdentityProvider; label: string }[];
}

const idSchema = z.string().regex(/^[0-9a-f]{64}$/);

export const sessionsRouter = router({
  list: signedInProcedure.query(async ({ ctx }): Promise<{ sessions: SessionRow[] }> => {
    const { db, clock, sessions } = ctx.deps;
    const here = sessions.hashId(ctx.session.id);
    const found = await listSessions(db, { userId: ctx.session.user.id, now: new Date(clock.nowMs()) });
    const rows = found.map((session) => ({
      id: session.id.toString('hex'),
      isThisOne: session.id.equals(here),
      userAgent: session.userAgent,
      address: session.address,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
    }));
    return { sessions: rows.toSorted((a, b) => Number(b.isThisOne) - Number(a.isThisOne)) };
  }),

  /** Ends one session; this one ends by `auth.signOut`. */
  end: signedInProcedure.input(z.object({ id: idSchema })).mutation(async ({ ctx, input }): Promise<Done> => {
    const { db } = ctx.deps;
    const userId = ctx.session.user.id;
    const idHash = Buffer.from(input.id, 'hex');
    if (!(await deleteSessionOfUser(db, { userId, idHash }))) throw notFound('session');
    await recordAudit(db, { actorUserId: userId, action: 'user.session_ended', subject: userId });
    return {};
  }),

  endOthers: signedInProcedure.mutation(async ({ ctx }): Promise<Done> => {
    const { db, sessions } = ctx.deps;
    const userId = ctx.session.user.id;
    await deleteSessionsOfUser(db, userId, sessions.hashId(ctx.session.id));
    await recordAudit(db, { actorUserId: userId, action: 'user.other_sessions_ended', subject: userId });
    return {};
  }),

  /** Proves again that it is the same person: some changes ask for it. Refuses as BAD_REQUEST with `data.field` `password`. */
  confirm: enrolmentProcedure
    .input(z.object({ password: z.string().min(1, 'Enter your password').max(PASSWORD_MAX_LENGTH) }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await confirmByPassword(ctx, input.password);
      return {};
    }),

  /** How this user can re-authenticate. */
  confirmationMethods: enrolmentProcedure.query(async ({ ctx }): Promise<ConfirmationMethods> => {
    const { hasPassword, providers } = await findConfirmationMethods(ctx);
    return { hasPassword, providers: providers.map(({ id, label }) => ({ id, label })) };
  }),

  /** For users without a password. */
  sendConfirmationCode: enrolmentProcedure.mutation(async ({ ctx }): Promise<Resend> =>
    sendConfirmationCode(ctx),
  ),

  /** In place of the password: see `confirm`. Refuses as BAD_REQUEST with `data.field` `code`. */
  confirmByCode: enrolmentProcedure
    .input(z.object({ code: oneTimeCodeSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await confirmByCode(ctx, input.code);
      return {};
    }),
});
