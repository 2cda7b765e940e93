import {
  emailSchema,
  oneTimeCodeSchema,
  PASSWORD_MAX_LENGTH,
  passwordSchema,
  personNameSchema,
} from '@tollgate/core/keys/credentials';
import { displayChangeSchema } from '@tollgate/core/people/display-change';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { listPersonEvents, type PersonEvent } from '@tollgate/db/queries/audit/personal-audit';
import { findUserById, setDisplay, setPersonName } from '@tollgate/db/queries/users/users';
import { z } from 'zod';
import { confirmEmailChange, requestEmailChange } from '../auth/change-email.ts';
import { changePassword } from '../auth/change-password.ts';
import { deleteLogin, previewDeletion, type DeletionObstacle } from '../auth/delete-login.ts';
import { confirmedProcedure, enrolmentProcedure, router, signedInProcedure } from '../trpc.ts';
import type { Done } from '../auth/router.ts';
import type { Resend } from '../auth/throttle.ts';

const currentPasswordSchema = z.string().min(1, 'Enter your current password').max(PASSWORD_MAX_LENGTH);

export interface DeletionView {
  /** Of all that the person owns; it is given up. */
  balanceNanoUsd: string;
  keys: number;
  /** What has to be done first; null: nothing. */
  obstacle: DeletionObstacle | null;
}

/** Something that happened to a login. */
export interface SecurityEvent {
  id: string;
  at: string;
  /** `user.signed_in`, … */
  action: string;
  /** False: another person did it, such as an operator of the installation. */
  isOwn: boolean;
  /** For a sign-in: user agent and origin. null: another event, or unknown. */
  userAgent: string | null;
  address: string | null;
  isNewDevice: boolean;
  /** What it was about: a passkey's name, a provider; null: the login itself. */
  about: string | null;
}

const EVENTS_PAGE = 10;

export const settingsRouter = router({
  profile: signedInProcedure.query(async ({ ctx }): Promise<{ name: string; createdAt: string | null }> => {
    const user = await findUserById(ctx.deps.db, ctx.session.user.id);
    return { name: user?.name ?? '', createdAt: user?.createdAt.toISOString() ?? null };
  }),

  /** Events of the login itself: sign-ins and security changes. */
  securityEvents: signedInProcedure
    .input(z.object({ cursor: z.string().max(64).nullish() }))
    .query(async ({ ctx, input }): Promise<{ events: SecurityEvent[]; nextCursor: string | null }> => {
      const page = { userId: ctx.session.user.id, cursor: input.cursor ?? undefined, limit: EVENTS_PAGE };
      const { events, nextCursor } = await listPersonEvents(ctx.deps.db, page);
      return { events: events.map(toSecurityEvent), nextCursor };
    }),

  /** An empty name is none. */
  setName: signedInProcedure
    .input(z.object({ name: personNameSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      const userId = ctx.session.user.id;
      await setPersonName(ctx.deps.db, userId, input.name === '' ? null : input.name);
      await recordAudit(ctx.deps.db, { actorUserId: userId, action: 'user.renamed', subject: userId });
      return {};
    }),

  /** Absent fields stay as they are. Also for users who must set up a second factor first. */
  setDisplay: enrolmentProcedure
    .input(displayChangeSchema)
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await setDisplay(ctx.deps.db, ctx.session.user.id, input);
      return {};
    }),

  /**
   * Refuses as BAD_REQUEST with `data.field` `currentPassword` or `newPassword`. A user without a password sets the first
   * one, after they re-authenticated.
   */
  changePassword: signedInProcedure
    .input(z.object({ currentPassword: currentPasswordSchema.optional(), newPassword: passwordSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await changePassword(ctx, input);
      return {};
    }),

  /** Refuses as BAD_REQUEST with `data.field` `password` or `email` (the same as now). */
  requestEmailChange: signedInProcedure
    .input(z.object({ email: emailSchema, password: currentPasswordSchema.optional() }))
    .mutation(async ({ ctx, input }): Promise<Resend> => requestEmailChange(ctx, input)),

  /** Refuses as BAD_REQUEST with `data.field` `code` or `token`. A link works only for the user who requested it. */
  confirmEmailChange: signedInProcedure
    .input(z.union([z.object({ code: oneTimeCodeSchema }), z.object({ token: z.string().max(200) })]))
    .mutation(async ({ ctx, input }): Promise<{ email: string }> => confirmEmailChange(ctx, input)),

  deletion: signedInProcedure.query(async ({ ctx }): Promise<DeletionView> => {
    const { balanceNanoUsd, keys, obstacle } = await previewDeletion(ctx);
    return { balanceNanoUsd: balanceNanoUsd.toString(), keys, obstacle };
  }),

  /** Refuses as BAD_REQUEST with `data.field` `email` or `giveUpUsd`, or with the action that is required first. */
  deleteLogin: confirmedProcedure
    .input(z.object({ email: emailSchema, giveUpUsd: z.string().trim().max(30) }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await deleteLogin(ctx, input);
      return {};
    }),
});

function toSecurityEvent({ id, at, action, isOwn, detail }: PersonEvent): SecurityEvent {
  const text = (name: string) => {
    const value = detail[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    id,
    at: at.toISOString(),
    action,
    isOwn,
    userAgent: text('userAgent'),
    address: text('address'),
    isNewDevice: detail['isNewDevice'] === true,
    about: text('name') ?? text('provider'),
  };
}
