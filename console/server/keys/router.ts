import { mintApiKey } from '@tollgate/auth/api-key';
import { keyRotationSchema } from '@tollgate/core/keys/key-rotation';
import { keyScopeSchema } from '@tollgate/core/keys/key-scope';
import { keyTagSchema, keyTagsSchema } from '@tollgate/core/keys/key-tags';
import { parseUsd } from '@tollgate/core/money/money';
import {
  countKeys,
  listKeys,
  listKeyTags,
  type KeyCursor,
  type KeySort,
  type KeyState,
} from '@tollgate/db/queries/keys/key-list';
import { findKeyDetail } from '@tollgate/db/queries/keys/key-summary';
import { createKey, revokeKey, revokeKeys, setKeyTags } from '@tollgate/db/queries/keys/keys';
import { rotateKey } from '@tollgate/db/queries/keys/rotate-key';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { deny, notFound } from '../denial.ts';
import { memberProcedure, router, verifiedMemberProcedure } from '../trpc.ts';
import { askAtPace } from '../live/ask-at-pace.ts';
import { denyRotation, denyScope } from './key-denials.ts';
import { readKeyWindows, type KeyWindows } from './key-windows.ts';
import { toKeyRow, toKeyView, type KeyRow, type KeyView } from './key-rows.ts';

export interface KeyPage {
  keys: KeyRow[];
  nextCursor: KeyCursor | null;
  /** Of the whole account, whatever is searched for; `active` includes `expiring`. */
  counts: Record<KeyState, number>;
}

/** More than one page of a list. */
const MAX_REVOKED_AT_ONCE = 500;

const listInputSchema = z.object({
  state: z.enum(['active', 'expiring', 'ended']),
  search: z.string().trim().max(100).optional(),
  model: z.string().max(200).optional(),
  tag: keyTagSchema.optional(),
  sort: z.enum(['created', 'name', 'spent', 'used']).default('created'),
  isAscending: z.boolean().default(false),
  cursor: z.object({ value: z.string().max(200), id: z.string().max(64) }).nullish(),
  limit: z.int().min(1).max(100).default(50),
});
const keyIdSchema = z.object({ keyId: z.string().max(64) });

const isTime = (text: string) => /^\d{4}-\d\d-\d\d /.test(text) && !Number.isNaN(Date.parse(text));
/** What a page of a sort can have ended with. */
const READABLE: Record<KeySort, (text: string) => boolean> = {
  created: isTime,
  name: () => true,
  spent: (text) => /^\d{1,18}$/.test(text),
  used: (text) => text === '-infinity' || isTime(text),
};

export const keysRouter = router({
  list: memberProcedure('viewer')
    .input(listInputSchema)
    .query(async ({ ctx, input }): Promise<KeyPage> => {
      const { deps, timeZone } = ctx;
      const { db } = deps;
      const accountId = ctx.account.id;
      const nowMs = deps.clock.nowMs();
      const cursor = readCursor(input);
      const [page, counts] = await Promise.all([
        listKeys(db, { ...input, cursor, accountId, nowMs, timeZone }),
        countKeys(db, { accountId, nowMs }),
      ]);
      return { keys: page.keys.map(toKeyRow), nextCursor: page.nextCursor, counts };
    }),

  tags: memberProcedure('viewer').query(async ({ ctx }): Promise<{ tags: string[] }> => ({
    tags: await listKeyTags(ctx.deps.db, ctx.account.id),
  })),

  get: memberProcedure('viewer')
    .input(keyIdSchema)
    .query(async ({ ctx, input }): Promise<KeyView> => readKey(ctx, ctx.account.id, input.keyId)),

  /** Current use of the key's limits, as reported by the API replicas. */
  windows: memberProcedure('viewer')
    .input(keyIdSchema)
    .query(async ({ ctx, input }): Promise<KeyWindows> => {
      askAtPace(ctx, ctx.session);
      const windows = await readKeyWindows(ctx.deps, { accountId: ctx.account.id, keyId: input.keyId });
      if (windows === null) throw notFound('key');
      return windows;
    }),

  /** The one time that the key itself leaves the server. */
  create: verifiedMemberProcedure('member')
    .input(z.object({ scope: keyScopeSchema, tags: keyTagsSchema.default([]) }))
    .mutation(async ({ ctx, input }): Promise<{ secret: string; key: KeyView }> => {
      const minted = mintApiKey();
      const created = await createKey(ctx.deps.db, ctx.deps.clock, {
        accountId: ctx.account.id,
        createdBy: ctx.session.user.id,
        scope: input.scope,
        tags: input.tags,
        minted,
      });
      if (!created.ok) throw denyScope(created);
      return { secret: minted.key, key: await readKey(ctx, ctx.account.id, created.key.id) };
    }),

  /** Creates a new key of the same scope; as with `create`, the secret is returned only once. */
  rotate: verifiedMemberProcedure('member')
    .input(keyIdSchema.extend({ rotation: keyRotationSchema }))
    .mutation(async ({ ctx, input }): Promise<{ secret: string; key: KeyView }> => {
      const minted = mintApiKey();
      const { endsAt, keepUsd } = input.rotation;
      const rotated = await rotateKey(ctx.deps.db, ctx.deps.clock, {
        keyId: input.keyId,
        accountId: ctx.account.id,
        actorUserId: ctx.session.user.id,
        endsAt: endsAt === null ? null : new Date(endsAt),
        keepNanoUsd: parseUsd(keepUsd) ?? 0n,
        minted,
      });
      if (!rotated.ok) throw denyRotation(rotated);
      return { secret: minted.key, key: await readKey(ctx, ctx.account.id, rotated.key.id) };
    }),

  setTags: memberProcedure('member')
    .input(keyIdSchema.extend({ tags: keyTagsSchema }))
    .mutation(async ({ ctx, input }): Promise<KeyView> => {
      const accountId = ctx.account.id;
      await setKeyTags(ctx.deps.db, { ...input, accountId, actorUserId: ctx.session.user.id });
      return readKey(ctx, accountId, input.keyId);
    }),

  revoke: memberProcedure('member')
    .input(keyIdSchema)
    .mutation(async ({ ctx, input }): Promise<KeyView> => {
      const accountId = ctx.account.id;
      await revokeKey(ctx.deps.db, { keyId: input.keyId, accountId, actorUserId: ctx.session.user.id });
      return readKey(ctx, accountId, input.keyId);
    }),

  /** Those of the account that are alive; others are left as they are. */
  revokeMany: memberProcedure('member')
    .input(z.object({ keyIds: z.array(z.string().max(64)).min(1).max(MAX_REVOKED_AT_ONCE) }))
    .mutation(async ({ ctx, input }): Promise<{ revoked: number }> => {
      const revoked = await revokeKeys(ctx.deps.db, {
        keyIds: input.keyIds,
        accountId: ctx.account.id,
        actorUserId: ctx.session.user.id,
      });
      return { revoked: revoked.length };
    }),
});

async function readKey(ctx: Context, accountId: string, keyId: string): Promise<KeyView> {
  const { deps, timeZone } = ctx;
  const key = await findKeyDetail(deps.db, { accountId, keyId, nowMs: deps.clock.nowMs(), timeZone });
  if (key === null) throw notFound('key');
  return toKeyView(key);
}

/** A cursor of another sort cannot be read by this one. */
function readCursor({ cursor, sort }: z.output<typeof listInputSchema>): KeyCursor | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  if (!READABLE[sort](cursor.value))
    throw deny('BAD_REQUEST', 'Invalid cursor. Reload the list.', { field: 'cursor' });
  return cursor;
}
