import { parseUsd } from '@tollgate/core/money/money';
import { setAccountSuspended } from '@tollgate/db/queries/accounts/accounts';
import { adjustBalance } from '@tollgate/db/queries/ledger/grant-credit';
import { setAccountPlan } from '@tollgate/db/queries/plans/plans';
import {
  ACCOUNT_STATES,
  hasAccount,
  listAccountsForOperator,
} from '@tollgate/db/queries/operator/list-accounts';
import type { Connection } from '@tollgate/db/transaction';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';
import {
  readAccount,
  recentSpendSince,
  toAccountRow,
  type AccountDetail,
  type AccountRow,
} from './account-view.ts';
import { reasonSchema } from './reason.ts';

const accountIdSchema = z.string().max(64);
/** More than any balance: a million dollars. */
const MAX_ADJUSTMENT_NANO_USD = 1_000_000_000_000_000n;

export const operatorAccountsRouter = router({
  list: operatorProcedure
    .input(
      z.object({
        state: z.enum(ACCOUNT_STATES).default('all'),
        search: z.string().trim().max(100).optional(),
        planId: z.string().max(64).optional(),
        cursor: z.string().max(64).nullish(),
        limit: z.int().min(1).max(100).default(50),
      }),
    )
    .query(async ({ ctx, input }): Promise<{ accounts: AccountRow[]; nextCursor: string | null }> => {
      const query = { ...input, cursor: input.cursor ?? undefined, since: recentSpendSince(ctx) };
      const page = await listAccountsForOperator(ctx.deps.db, query);
      return { accounts: page.accounts.map(toAccountRow), nextCursor: page.nextCursor };
    }),

  get: operatorProcedure
    .input(z.object({ accountId: accountIdSchema }))
    .query(async ({ ctx, input }): Promise<AccountDetail> => readAccount(ctx, input.accountId)),

  /** `requestId` is made once for each wish: sent again, it moves nothing, and `isNew` says so. */
  adjustBalance: operatorProcedure
    .input(
      z.object({
        accountId: accountIdSchema,
        direction: z.enum(['give', 'take']),
        amountUsd: z.string().trim().max(20),
        reason: reasonSchema,
        requestId: z.uuid(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ isNew: boolean; account: AccountDetail }> => {
      const { accountId, direction, reason, requestId } = input;
      const amount = readAmount(input.amountUsd);
      await requireAccount(ctx.deps.db, accountId);
      const adjusted = await adjustBalance(ctx.deps.db, {
        accountId,
        amountNanoUsd: direction === 'give' ? amount : -amount,
        reason,
        actorUserId: ctx.session.user.id,
        idempotencyKey: `${ctx.session.user.id} ${requestId}`,
      });
      if (!adjusted.ok)
        throw deny(
          'BAD_REQUEST',
          'The amount is more than the available balance. Amounts on hold cannot be removed.',
          {
            field: 'amountUsd',
          },
        );
      return { isNew: adjusted.isNew, account: await readAccount(ctx, accountId) };
    }),

  setPlan: operatorProcedure
    .input(z.object({ accountId: accountIdSchema, planId: z.string().max(64) }))
    .mutation(async ({ ctx, input }): Promise<{ grantedNanoUsd: string; account: AccountDetail }> => {
      const { accountId, planId } = input;
      await requireAccount(ctx.deps.db, accountId);
      const actorUserId = ctx.session.user.id;
      const moved = await setAccountPlan(ctx.deps.db, { accountId, planId, actorUserId });
      if (!moved.ok) throw deny('BAD_REQUEST', `Unknown plan: ${planId}.`, { field: 'planId' });
      return {
        grantedNanoUsd: moved.grantedNanoUsd.toString(),
        account: await readAccount(ctx, accountId),
      };
    }),

  /** A suspended account's keys are refused within a second; the people in it may still look and pay. */
  setSuspended: operatorProcedure
    .input(z.object({ accountId: accountIdSchema, suspended: z.boolean(), reason: reasonSchema }))
    .mutation(async ({ ctx, input }): Promise<AccountDetail> => {
      const { accountId, suspended, reason } = input;
      await requireAccount(ctx.deps.db, accountId);
      const now = new Date(ctx.deps.clock.nowMs());
      const actorUserId = ctx.session.user.id;
      await setAccountSuspended(ctx.deps.db, { accountId, suspended, reason, now, actorUserId });
      return readAccount(ctx, accountId);
    }),
});

async function requireAccount(db: Connection, accountId: string): Promise<void> {
  if (!(await hasAccount(db, accountId))) throw notFound('account');
}

function readAmount(amountUsd: string): bigint {
  const amount = parseUsd(amountUsd);
  if (amount === null || amount <= 0n || amount > MAX_ADJUSTMENT_NANO_USD)
    throw deny('BAD_REQUEST', 'Enter an amount in dollars, like 5 or 2.50.', { field: 'amountUsd' });
  return amount;
}
