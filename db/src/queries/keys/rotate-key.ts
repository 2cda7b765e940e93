import type { Clock } from '@tollgate/core/runtime/clock';
import { createId } from '@tollgate/core/runtime/ids';
import { MAX_OVERLAP_MS } from '@tollgate/core/keys/key-rotation';
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../client.ts';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';
import { auditLog } from '../../schema/audit-log.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import type { ApiKey, NewApiKey } from './keys.ts';
import { copyScope } from './scope-columns.ts';

export interface RotateKey {
  keyId: string;
  accountId: string;
  actorUserId: string | null;
  /** When the old key stops; null: immediately, as a revoked key. */
  endsAt: Date | null;
  /** Part of the remaining budget that stays with the old key; the rest moves to the new key. */
  keepNanoUsd: bigint;
  minted: NewApiKey['minted'];
}

export type RotateKeyDenial =
  | { reason: 'not_found' | 'has_ended' | 'already_replaced' | 'end_out_of_range' | 'budget_spent' }
  | { reason: 'keeps_too_much'; leftNanoUsd: bigint };

/**
 * Makes a key of the same scope that replaces another, and sets when the old one stops. The budget is not
 * doubled: both keys share it, split in one transaction with the row that the ledger decides by.
 */
export async function rotateKey(
  db: Database,
  clock: Clock,
  input: RotateKey,
): Promise<{ ok: true; key: ApiKey } | ({ ok: false } & RotateKeyDenial)> {
  const nowMs = clock.nowMs();
  const overlapMs = input.endsAt === null ? 1 : input.endsAt.getTime() - nowMs;
  if (overlapMs <= 0 || overlapMs > MAX_OVERLAP_MS) return { ok: false, reason: 'end_out_of_range' };
  return inTransaction(db, async (tx) => {
    const old = await lockKey(tx, input);
    if (old === null) return { ok: false, reason: 'not_found' } as const;
    const denial = await reasonAgainst(tx, old, nowMs);
    if (denial !== null) return { ok: false, reason: denial } as const;
    const split = await splitBudget(tx, old, input);
    if (!split.ok) return split;
    const newKey = await insertSuccessor(tx, old, { ...input, carriedNanoUsd: split.carriedNanoUsd });
    await tx.drizzle
      .update(apiKeys)
      .set(input.endsAt === null ? { revokedAt: new Date(nowMs) } : { endsAt: input.endsAt })
      .where(eq(apiKeys.id, old.id));
    await tx.drizzle.insert(auditLog).values({
      id: createId('aud'),
      actorUserId: input.actorUserId,
      accountId: old.accountId,
      action: 'key.rotate',
      subject: old.id,
      detail: { successor: newKey.id, endsAt: input.endsAt?.toISOString() ?? null },
    });
    return { ok: true, key: newKey } as const;
  });
}

async function lockKey(tx: Connection, { keyId, accountId }: RotateKey): Promise<ApiKey | null> {
  const [key] = await tx.drizzle
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId)))
    .for('update');
  return key ?? null;
}

async function reasonAgainst(
  tx: Connection,
  old: ApiKey,
  nowMs: number,
): Promise<'has_ended' | 'already_replaced' | null> {
  const [newKey] = await tx.drizzle
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(eq(apiKeys.replacesKeyId, old.id));
  if (newKey !== undefined) return 'already_replaced';
  const isOver = old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt.getTime() <= nowMs);
  return isOver ? 'has_ended' : null;
}

/**
 * Moves the new key's share by counting it as spent on the old key, so that holds are decided correctly immediately,
 * whatever the replicas have cached.
 */
async function splitBudget(
  tx: Connection,
  { id, maxBudgetNanoUsd }: ApiKey,
  { endsAt, keepNanoUsd }: RotateKey,
): Promise<
  | { ok: true; carriedNanoUsd: bigint }
  | { ok: false; reason: 'budget_spent' }
  | { ok: false; reason: 'keeps_too_much'; leftNanoUsd: bigint }
> {
  if (maxBudgetNanoUsd === null) return { ok: true, carriedNanoUsd: 0n };
  const [totals] = await tx.drizzle
    .select()
    .from(keyTotals)
    .where(eq(keyTotals.keyId, id))
    .for('no key update');
  if (totals === undefined) throw new Error('A key has no totals');
  const leftNanoUsd = maxBudgetNanoUsd - totals.spentNanoUsd - totals.heldNanoUsd;
  if (leftNanoUsd <= 0n) return { ok: false, reason: 'budget_spent' };
  const kept = endsAt === null ? 0n : keepNanoUsd;
  if (kept >= leftNanoUsd) return { ok: false, reason: 'keeps_too_much', leftNanoUsd };
  const moved = leftNanoUsd - kept;
  await tx.drizzle
    .update(keyTotals)
    .set({
      spentNanoUsd: sql`${keyTotals.spentNanoUsd} + ${moved}`,
      carriedNanoUsd: sql`${keyTotals.carriedNanoUsd} + ${moved}`,
    })
    .where(eq(keyTotals.keyId, id));
  return { ok: true, carriedNanoUsd: maxBudgetNanoUsd - moved };
}

async function insertSuccessor(
  tx: Connection,
  old: ApiKey,
  { actorUserId, minted, carriedNanoUsd }: RotateKey & { carriedNanoUsd: bigint },
): Promise<ApiKey> {
  const [key] = await tx.drizzle
    .insert(apiKeys)
    .values({
      id: createId('key'),
      accountId: old.accountId,
      createdBy: actorUserId,
      hash: minted.hash,
      prefix: minted.prefix,
      last4: minted.last4,
      ...copyScope(old),
      tags: old.tags,
      replacesKeyId: old.id,
    })
    .returning();
  if (key === undefined) throw new Error('INSERT INTO api_keys returned no row');
  await tx.drizzle.insert(keyTotals).values({ keyId: key.id, spentNanoUsd: carriedNanoUsd, carriedNanoUsd });
  return key;
}
