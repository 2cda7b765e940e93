import { randomBytes } from 'node:crypto';
import type { HoldRequest, LedgerBatch } from '@tollgate/core/money/ledger';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { holdRequest, getSettlement } from '@tollgate/testing/ledger-records';
import { eq } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyTotals } from '../../schema/api-keys.ts';
import { findKeyByHash } from './key-lookup.ts';
import { revokeKey, setKeyTags } from './keys.ts';
import { passOnLeftovers } from './move-unspent-budget.ts';
import { rotateKey, type RotateKey } from './rotate-key.ts';
import { verifyLedger } from '../ledger/verify.ts';

const USD = 1_000_000_000n;
/** The hash of a key that does not exist. */
const mint = () => ({ hash: randomBytes(32), prefix: 'sk-0000', last4: '0000' });
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('rotateKey', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const clock = { nowMs: () => Date.now() };
  const commit = (batch: Partial<LedgerBatch>) => commitBatch(database.db, batch);
  const getOwner = async (scope: Parameters<typeof createKeyFixture>[2] = {}) => {
    const { accountId } = await createAccountFixture(database.db);
    const { key } = await createKeyFixture(database.db, accountId, scope);
    return { accountId, keyId: key.id, key };
  };
  const rotate = (input: { keyId: string; accountId: string } & Partial<RotateKey>, at = clock) =>
    rotateKey(database.db, at, {
      actorUserId: null,
      endsAt: new Date(at.nowMs() + HOUR_MS),
      keepNanoUsd: 0n,
      minted: mint(),
      ...input,
    });
  /** Requests a hold of exactly this amount. @returns null if it was denied */
  const hold = async (
    owner: { keyId: string; accountId: string },
    wantNanoUsd: bigint,
    cap: bigint | null,
  ) => {
    const asked = holdRequest(owner, { wantNanoUsd, keyCapNanoUsd: cap, inputCostNanoUsd: 0n });
    await commit({ holds: [asked] });
    const [row] = await database.db.sql`SELECT 1 FROM requests WHERE id = ${asked.id} AND state = 'held'`;
    return row === undefined ? null : asked;
  };
  const settle = (asked: HoldRequest, costNanoUsd: bigint) =>
    commit({ settlements: [getSettlement(asked, { costNanoUsd })] });
  const computeTotals = async (keyId: string) => {
    const [totals] = await database.db.drizzle.select().from(keyTotals).where(eq(keyTotals.keyId, keyId));
    if (totals === undefined) throw new Error('A key has no totals');
    return totals;
  };
  const findViolations = async () => (await verifyLedger(database.db, { recompute: 0 })).findings;

  it('makes a key of the same scope, which the api finds, and ends the old one at the given time', async () => {
    const expiresAt = new Date(Date.now() + 60 * DAY_MS).toISOString();
    const { key, ...owner } = await getOwner({ name: 'ci', rpm: 5, tpm: 900, maxBudgetUsd: '10', expiresAt });
    await setKeyTags(database.db, { ...owner, tags: ['prod', 'eu'], actorUserId: null });
    const minted = mint();
    const endsAt = new Date(Date.now() + HOUR_MS);
    const rotated = await rotate({ ...owner, minted, endsAt, keepNanoUsd: 3n * USD });
    expect(rotated).toMatchObject({
      ok: true,
      key: {
        name: 'ci',
        rpm: 5,
        tpm: 900,
        maxBudgetNanoUsd: 10n * USD,
        replacesKeyId: key.id,
        tags: ['prod', 'eu'],
      },
    });
    const [old, newKey] = [
      await findKeyByHash(database.db, key.hash),
      await findKeyByHash(database.db, minted.hash),
    ];
    expect(old).toMatchObject({ expiresAt: endsAt, revokedAt: null, spentNanoUsd: 7n * USD });
    expect(newKey).toMatchObject({ expiresAt: new Date(expiresAt), spentNanoUsd: 3n * USD });
    expect(await findViolations()).toEqual([]);
  });

  it('never extends the expiry of the old key', async () => {
    const expiresAt = new Date(Date.now() + HOUR_MS);
    const { key, ...owner } = await getOwner({ expiresAt: expiresAt.toISOString() });
    await rotate({ ...owner, endsAt: new Date(Date.now() + DAY_MS) });
    expect((await findKeyByHash(database.db, key.hash))?.expiresAt).toEqual(expiresAt);
  });

  it('revokes the old key if there is no overlap, and moves what it had left to the new key', async () => {
    const { key, ...owner } = await getOwner({ maxBudgetUsd: '10' });
    const spent = await hold(owner, 2n * USD, 10n * USD);
    if (spent === null) throw new Error('The hold was refused');
    const rotated = await rotate({ ...owner, endsAt: null, keepNanoUsd: 5n * USD });
    if (!rotated.ok) throw new Error(rotated.reason);
    expect((await findKeyByHash(database.db, key.hash))?.revokedAt).not.toBeNull();
    expect(await hold(owner, 1n, 10n * USD)).toBeNull();
    expect(await computeTotals(rotated.key.id)).toMatchObject({ spentNanoUsd: 2n * USD });
    // The request in flight cost less than it held.
    await settle(spent, USD / 2n);
    expect(await passOnLeftovers(database.db, Date.now())).toBe(1);
    expect(await computeTotals(rotated.key.id)).toMatchObject({ spentNanoUsd: USD / 2n });
    expect(await passOnLeftovers(database.db, Date.now())).toBe(0);
    expect(await findViolations()).toEqual([]);
  });

  it('refuses another account, a second rotation, an ended key, an end too late and a spent budget', async () => {
    const { key, ...owner } = await getOwner({ maxBudgetUsd: '1' });
    const stranger = await getOwner();
    expect(await rotate({ ...owner, accountId: stranger.accountId })).toMatchObject({ reason: 'not_found' });
    expect(await rotate({ ...owner, endsAt: new Date(Date.now() + 31 * DAY_MS) })).toMatchObject({
      reason: 'end_out_of_range',
    });
    expect(await rotate({ ...owner, endsAt: new Date(Date.now() - 1) })).toMatchObject({
      reason: 'end_out_of_range',
    });
    expect(await rotate({ ...owner, keepNanoUsd: USD })).toEqual({
      ok: false,
      reason: 'keeps_too_much',
      leftNanoUsd: USD,
    });
    expect((await findKeyByHash(database.db, key.hash))?.expiresAt).toBeNull();
    expect(await rotate(owner)).toMatchObject({ ok: true });
    expect(await rotate(owner)).toMatchObject({ reason: 'already_replaced' });
    const spent = await getOwner({ maxBudgetUsd: '1' });
    await hold(spent, USD, USD);
    expect(await rotate(spent)).toMatchObject({ reason: 'budget_spent' });
    await revokeKey(database.db, { ...spent, actorUserId: null });
    expect(await rotate(spent)).toMatchObject({ reason: 'has_ended' });
  });

  it('makes one new key if a key is rotated twice at the same time', async () => {
    const { key: _, ...owner } = await getOwner({ maxBudgetUsd: '1' });
    const both = await Promise.all([rotate(owner), rotate(owner)]);
    expect(both.map((each) => (each.ok ? 'ok' : each.reason)).toSorted()).toEqual(['already_replaced', 'ok']);
    expect(await findViolations()).toEqual([]);
  });

  it('leaves the scope, the predecessor and a chosen end as they are', async () => {
    const { sql } = database.db;
    const { key, ...owner } = await getOwner();
    const rotated = await rotate(owner);
    if (!rotated.ok) throw new Error(rotated.reason);
    await expect(sql`UPDATE api_keys SET ends_at = NULL WHERE id = ${key.id}`).rejects.toThrow(
      /end of a replaced API key/,
    );
    await expect(sql`UPDATE api_keys SET ends_at = now() + '1 year' WHERE id = ${key.id}`).rejects.toThrow(
      /end of a replaced API key/,
    );
    await expect(sql`UPDATE api_keys SET successor_of = NULL WHERE id = ${rotated.key.id}`).rejects.toThrow(
      /cannot be changed/,
    );
    await sql`UPDATE api_keys SET tags = ARRAY['x'] WHERE id = ${key.id}`;
  });

  const amount = fc.bigInt({ min: 1n, max: 60n });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('hold' as const), key: fc.nat(), amount }),
    fc.record({ kind: fc.constant('settle' as const), key: fc.nat(), amount }),
    fc.record({ kind: fc.constant('rotate' as const), key: fc.nat(), amount, atOnce: fc.boolean() }),
    fc.record({ kind: fc.constant('wait' as const) }),
    fc.record({ kind: fc.constant('pass on' as const) }),
  );

  it('never lets a key and its new keys spend more than the one budget, nor lose any of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const cap = 100n;
        const { key: _, ...first } = await getOwner({ maxBudgetUsd: '0.0000001' });
        const line = [first];
        const open: HoldRequest[] = [];
        let nowMs = Date.now();
        const pick = <T>(list: T[], index: number) => list[index % list.length];
        for (const each of steps) {
          if (each.kind === 'hold') {
            const given = await hold(pick(line, each.key) ?? first, each.amount, cap);
            if (given !== null) open.push(given);
          } else if (each.kind === 'settle' && open.length > 0) {
            const [asked] = open.splice(each.key % open.length, 1);
            if (asked !== undefined)
              await settle(asked, each.amount < asked.wantNanoUsd ? each.amount : asked.wantNanoUsd);
          } else if (each.kind === 'rotate') {
            const keepNanoUsd = each.amount;
            const endsAt = each.atOnce ? null : new Date(nowMs + HOUR_MS);
            const last = line.at(-1) ?? first;
            const rotated = await rotate({ ...last, keepNanoUsd, endsAt }, { nowMs: () => nowMs });
            if (rotated.ok) line.push({ ...first, keyId: rotated.key.id });
          } else if (each.kind === 'wait') nowMs += HOUR_MS;
          else await passOnLeftovers(database.db, nowMs);
        }
        for (const asked of open) await settle(asked, asked.wantNanoUsd);
        // All but the last key have ended: the unspent budget ends up with the last.
        nowMs += 2 * HOUR_MS;
        for (let i = 0; i <= line.length; i++) await passOnLeftovers(database.db, nowMs);
        const totals = await Promise.all(line.map(({ keyId }) => computeTotals(keyId)));
        const own = totals.reduce((sum, each) => sum + each.spentNanoUsd - each.carriedNanoUsd, 0n);
        expect(own).toBeLessThanOrEqual(cap);
        expect(cap - (totals.at(-1)?.spentNanoUsd ?? 0n)).toBe(cap - own);
        expect(await findViolations()).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
