import { mintApiKey } from '@tollgate/auth/api-key';
import { keyScopeSchema } from '@tollgate/core/key-scope';
import {
  countKeys,
  findKeySummary,
  listKeys,
  type KeyState,
  type KeySummary,
} from '@tollgate/db/queries/key-list';
import { createKey, revokeKey, type CreateKeyDenial } from '@tollgate/db/queries/keys';
import type { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { deny, notFound } from '../denial.ts';
import { memberProcedure, router, verifiedMemberProcedure } from '../trpc.ts';

/** A key as the console shows it. Amounts are nano-dollars in decimal, times are ISO 8601. */
export interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  allowedModels: string[] | null;
  maxBudgetNanoUsd: string | null;
  spentNanoUsd: string;
  rpm: number | null;
  tpm: number | null;
  expiresAt: string | null;
  createdAt: string;
  revokedAt: string | null;
  lastUsedAt: string | null;
  last7Days: { requests: number; costNanoUsd: string };
}

export interface KeyPage {
  keys: KeyRow[];
  nextCursor: string | null;
  /** Of the whole account, whatever is searched for; `active` includes `expiring`. */
  counts: Record<KeyState, number>;
}

const listInputSchema = z.object({
  state: z.enum(['active', 'expiring', 'ended']),
  search: z.string().trim().max(100).optional(),
  cursor: z.string().max(64).nullish(),
  limit: z.int().min(1).max(100).default(50),
});
const keyIdSchema = z.object({ keyId: z.string().max(64) });

export const keysRouter = router({
  list: memberProcedure('viewer')
    .input(listInputSchema)
    .query(async ({ ctx, input }): Promise<KeyPage> => {
      const { db, clock } = ctx.deps;
      const accountId = ctx.account.id;
      const nowMs = clock.nowMs();
      const query = { ...input, cursor: input.cursor ?? undefined, accountId, nowMs };
      const [page, counts] = await Promise.all([listKeys(db, query), countKeys(db, { accountId, nowMs })]);
      return { keys: page.keys.map(toKeyRow), nextCursor: page.nextCursor, counts };
    }),

  get: memberProcedure('viewer')
    .input(keyIdSchema)
    .query(async ({ ctx, input }): Promise<KeyRow> => readKey(ctx, ctx.account.id, input.keyId)),

  /** The one time that the key itself leaves the server. */
  create: verifiedMemberProcedure('member')
    .input(z.object({ scope: keyScopeSchema }))
    .mutation(async ({ ctx, input }): Promise<{ secret: string; key: KeyRow }> => {
      const minted = mintApiKey();
      const created = await createKey(ctx.deps.db, ctx.deps.clock, {
        accountId: ctx.account.id,
        createdBy: ctx.session.user.id,
        scope: input.scope,
        minted,
      });
      if (!created.ok) throw denyScope(created);
      return { secret: minted.key, key: await readKey(ctx, ctx.account.id, created.key.id) };
    }),

  revoke: memberProcedure('member')
    .input(keyIdSchema)
    .mutation(async ({ ctx, input }): Promise<KeyRow> => {
      const accountId = ctx.account.id;
      await revokeKey(ctx.deps.db, { keyId: input.keyId, accountId, actorUserId: ctx.session.user.id });
      return readKey(ctx, accountId, input.keyId);
    }),
});

async function readKey(ctx: Context, accountId: string, keyId: string): Promise<KeyRow> {
  const key = await findKeySummary(ctx.deps.db, { accountId, keyId, nowMs: ctx.deps.clock.nowMs() });
  if (key === null) throw notFound('key');
  return toKeyRow(key);
}

function denyScope(denial: CreateKeyDenial): TRPCError {
  if (denial.reason === 'expiry_in_past')
    return deny('BAD_REQUEST', 'The expiry must lie in the future.', { field: 'scope.expiresAt' });
  const models = denial.models.join(', ');
  return deny('BAD_REQUEST', `There is no model ${models}.`, { field: 'scope.allowedModels' });
}

function toKeyRow(key: KeySummary): KeyRow {
  return {
    ...key,
    maxBudgetNanoUsd: key.maxBudgetNanoUsd?.toString() ?? null,
    spentNanoUsd: key.spentNanoUsd.toString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    last7Days: { requests: key.last7Days.requests, costNanoUsd: key.last7Days.costNanoUsd.toString() },
  };
}
