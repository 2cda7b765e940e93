import type { Role } from '@tollgate/core/roles';
import { listAccountsOfUser } from '@tollgate/db/queries/members';
import { mayReadMailbox } from '../mail/mailbox.ts';
import { publicProcedure, router } from '../trpc.ts';

export interface SessionView {
  user: { id: string; email: string; emailVerified: boolean; isOperator: boolean } | null;
  accounts: { id: string; name: string; role: Role }[];
  installation: {
    /** Ends with `/v1`. */
    publicApiUrl: string;
    /** `/dev/mailbox` exists, and this visitor may see it. */
    mailbox: boolean;
  };
}

export const sessionRouter = router({
  get: publicProcedure.query(async ({ ctx }): Promise<SessionView> => {
    const user = ctx.session?.user ?? null;
    return {
      user,
      accounts: user === null ? [] : await listAccountsOfUser(ctx.deps.db, user.id),
      installation: { publicApiUrl: ctx.deps.settings.publicApiUrl, mailbox: mayReadMailbox(ctx) },
    };
  }),
});
