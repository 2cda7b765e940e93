import { accountNameSchema } from '@tollgate/core/people/account-name';
import { emailSchema, passwordSchema } from '@tollgate/core/keys/credentials';
import { INVITABLE_ROLES, type InvitableRole, type Role } from '@tollgate/core/people/roles';
import { keepAccountName, renameAccount } from '@tollgate/db/queries/accounts/account-name';
import { listInvitationsTo } from '@tollgate/db/queries/team/answer-invite';
import { listInvitations, withdrawInvitation } from '@tollgate/db/queries/team/invites';
import { listMembers } from '@tollgate/db/queries/team/list-members';
import { z } from 'zod';
import { notFound } from '../denial.ts';
import {
  accept,
  decline,
  readInvitation,
  toInvitationView,
  type InvitationView,
  type LinkedInvitation,
} from './answer-invitation.ts';
import { changeRole, leave, remove, transfer } from './change-members.ts';
import { invite, resendInvitation } from './invite.ts';
import { joinAtSignIn, joinWithPassword } from './join.ts';
import {
  confirmedMemberProcedure,
  memberProcedure,
  publicProcedure,
  router,
  signedInProcedure,
  verifiedMemberProcedure,
} from '../trpc.ts';
import type { Entry } from '../auth/enter.ts';
import type { Done } from '../auth/router.ts';

export interface MemberRow {
  userId: string;
  email: string;
  role: Role;
  joinedAt: string;
}

/** An invitation that waits for its answer. */
export interface InvitationRow {
  id: string;
  email: string;
  role: InvitableRole;
  /** null: the user was deleted. */
  invitedByEmail: string | null;
  sentAt: string;
  expiresAt: string;
}

const PAGE_SIZE = 100;
/** More than a page has room for. */
const MAX_INVITATIONS_TO_ME = 20;

const idSchema = z.string().max(64);
const tokenSchema = z.string().max(200);
const roleSchema = z.enum(INVITABLE_ROLES);
const invitationIdSchema = z.object({ invitationId: idSchema });

export const teamRouter = router({
  members: memberProcedure('viewer')
    .input(z.object({ cursor: idSchema.nullish() }))
    .query(async ({ ctx, input }): Promise<{ members: MemberRow[]; nextCursor: string | null }> => {
      const accountId = ctx.account.id;
      const page = { accountId, cursor: input.cursor ?? undefined, limit: PAGE_SIZE };
      const { members, nextCursor } = await listMembers(ctx.deps.db, page);
      const rows = members.map((member) => ({ ...member, joinedAt: member.joinedAt.toISOString() }));
      return { members: rows, nextCursor };
    }),

  /** Those without an answer yet; there are never more than a hundred. */
  invitations: memberProcedure('admin').query(async ({ ctx }): Promise<{ invitations: InvitationRow[] }> => {
    const invitations = await listInvitations(ctx.deps.db, ctx.account.id);
    return {
      invitations: invitations.map((invitation) => ({
        ...invitation,
        sentAt: invitation.sentAt.toISOString(),
        expiresAt: invitation.expiresAt.toISOString(),
      })),
    };
  }),

  /** Refuses as BAD_REQUEST with `data.field` `email` members and addresses that are already invited. */
  invite: verifiedMemberProcedure('admin')
    .input(z.object({ email: emailSchema, role: roleSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await invite(ctx, input);
      return {};
    }),

  resendInvitation: verifiedMemberProcedure('admin')
    .input(invitationIdSchema)
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await resendInvitation(ctx, input);
      return {};
    }),

  withdrawInvitation: memberProcedure('admin')
    .input(invitationIdSchema)
    .mutation(async ({ ctx, input }): Promise<Done> => {
      const { db, clock } = ctx.deps;
      const actorUserId = ctx.session.user.id;
      const now = new Date(clock.nowMs());
      if (!(await withdrawInvitation(db, { ...input, actorUserId, now }))) throw notFound('invitation');
      return {};
    }),

  changeRole: verifiedMemberProcedure('admin')
    .input(z.object({ userId: idSchema, role: roleSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await changeRole(ctx, input);
      return {};
    }),

  remove: verifiedMemberProcedure('admin')
    .input(z.object({ userId: idSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await remove(ctx, input);
      return {};
    }),

  leave: memberProcedure('viewer').mutation(async ({ ctx }): Promise<Done> => {
    await leave(ctx, ctx.account.id);
    return {};
  }),

  transfer: confirmedMemberProcedure('owner')
    .input(z.object({ userId: idSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await transfer(ctx, input);
      return {};
    }),

  rename: verifiedMemberProcedure('admin')
    .input(z.object({ name: accountNameSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await renameAccount(ctx.deps.db, { ...input, actorUserId: ctx.session.user.id });
      return {};
    }),

  /** Declines to name the account: it keeps its owner's email as its name, and no one is asked again. */
  keepName: verifiedMemberProcedure('admin').mutation(async ({ ctx }): Promise<Done> => {
    await keepAccountName(ctx.deps.db, ctx.account.id);
    return {};
  }),

  /** Content of an emailed link; without a session, because the invitee may have no login yet. */
  invitation: publicProcedure
    .input(z.object({ token: tokenSchema }))
    .query(({ ctx, input }): Promise<LinkedInvitation> => readInvitation(ctx, input.token)),

  /** The next sign-in of this browser accepts the invitation of this link, if it is to the invited address. */
  joinAtSignIn: publicProcedure
    .input(z.object({ token: tokenSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await joinAtSignIn(ctx, input.token);
      return {};
    }),

  /**
   * Creates the invitee's login and joins. Refuses as BAD_REQUEST with `data.field` `password`, or with `data.reason`
   * `has_login` if the address has a login.
   */
  joinWithPassword: publicProcedure
    .input(z.object({ token: tokenSchema, password: passwordSchema }))
    .mutation(async ({ ctx, input }): Promise<Entry> => joinWithPassword(ctx, input)),

  /** Pending invitations to the verified address of the signed-in user. */
  invitationsToMe: signedInProcedure.query(async ({ ctx }): Promise<{ invitations: InvitationView[] }> => {
    const { user } = ctx.session;
    if (!user.emailVerified) return { invitations: [] };
    const nowMs = ctx.deps.clock.nowMs();
    const to = { email: user.email, now: new Date(nowMs), limit: MAX_INVITATIONS_TO_ME };
    const invitations = await listInvitationsTo(ctx.deps.db, to);
    return { invitations: invitations.map((invitation) => toInvitationView(invitation, nowMs)) };
  }),

  accept: signedInProcedure
    .input(invitationIdSchema)
    .mutation(async ({ ctx, input }): Promise<{ accountId: string; accountName: string }> => {
      const { accountId, accountName } = await accept(ctx, input.invitationId);
      return { accountId, accountName };
    }),

  decline: signedInProcedure.input(invitationIdSchema).mutation(async ({ ctx, input }): Promise<Done> => {
    await decline(ctx, input.invitationId);
    return {};
  }),
});
