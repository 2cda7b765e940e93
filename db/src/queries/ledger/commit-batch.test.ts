import type { HoldRequest, LedgerBatch } from '@tollgate/core/money/ledger';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import {
  holdRequest,
  requestRecord,
  getSettlement,
  type RecordOwner,
} from '@tollgate/testing/ledger-records';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { eq, sum } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { keyTotals } from '../../schema/api-keys.ts';
import { balances } from '../../schema/ledger.ts';
import { requests, usageHourly } from '../../schema/requests.ts';
import { verifyLedger } from './verify.ts';

const database = await createTestDatabase();

describe('commitLedgerBatch', () => {
  afterAll(() => database[Symbol.asyncDispose]());

  const commit = (batch: Partial<LedgerBatch>) => commitBatch(database.db, batch);
  const freshKey = async (creditNanoUsd?: bigint): Promise<RecordOwner> => {
    const planId = creditNanoUsd === undefined ? 'internal' : 'standard';
    const { accountId } = await createAccountFixture(database.db, { planId });
    const keyId = (await createKeyFixture(database.db, accountId)).key.id;
    await creditBalance(database.db, { accountId, amountNanoUsd: creditNanoUsd ?? 0n });
    return { accountId, keyId };
  };
  const readBack = async ({ keyId, accountId }: RecordOwner) => {
    const { drizzle } = database.db;
    const [totals] = await drizzle.select().from(keyTotals).where(eq(keyTotals.keyId, keyId));
    const [balance] = await drizzle.select().from(balances).where(eq(balances.accountId, accountId));
    const rows = await drizzle.select().from(requests).where(eq(requests.keyId, keyId));
    const [hourly] = await drizzle
      .select({ requests: sum(usageHourly.requests), cost: sum(usageHourly.costNanoUsd) })
      .from(usageHourly)
      .where(eq(usageHourly.keyId, keyId));
    return { spent: totals?.spentNanoUsd, held: totals?.heldNanoUsd, totals, balance, rows, hourly };
  };

  describe('of requests without a hold', () => {
    it('moves the totals and the hourly usage together with the rows', async () => {
      const owner = await freshKey();
      const startedAtMs = Date.now();
      const { keys } = await commit({
        settlements: [
          requestRecord(owner, { startedAtMs }),
          requestRecord(owner, {
            startedAtMs,
            status: 429,
            errorCode: 'rate_limit_requests',
            costNanoUsd: 0n,
          }),
          requestRecord(owner, { startedAtMs, cacheWrite1hTokens: 4, operatorCostNanoUsd: 7n }),
        ],
      });
      expect(keys).toEqual([{ keyId: owner.keyId, spentNanoUsd: 2_000n, heldNanoUsd: 0n }]);
      const { totals, rows } = await readBack(owner);
      expect(totals).toMatchObject({ spentNanoUsd: 2_000n, lastUsedAt: new Date(startedAtMs) });
      expect(rows.reduce((total, row) => total + row.costNanoUsd, 0n)).toBe(2_000n);
      const hours = await database.db.drizzle
        .select()
        .from(usageHourly)
        .where(eq(usageHourly.keyId, owner.keyId));
      expect(hours).toMatchObject([
        {
          requests: 3,
          errors: 1,
          inputTokens: 30,
          outputTokens: 15,
          cacheWrite1hTokens: 4,
          costNanoUsd: 2_000n,
          operatorCostNanoUsd: 7n,
          chargedNanoUsd: 0n,
        },
      ]);
    });

    it('stores texts with special characters unchanged', async () => {
      const owner = await freshKey();
      const models = [
        'a "quoted" one',
        'back\\slash',
        '{braces, commas}',
        '(row, "of")',
        '\\"',
        'line\nfeed',
        'NULL',
        '',
        ' é✓ ',
      ];
      const startedAtMs = Date.now();
      const settlements = models.map((model) =>
        requestRecord(owner, { model, startedAtMs, firstByteMs: null }),
      );
      await commit({ settlements });
      const { rows } = await readBack(owner);
      expect(new Set(rows.map((row) => row.model))).toEqual(new Set(models));
      expect(rows[0]).toMatchObject({ startedAt: new Date(startedAtMs), firstByteMs: null, streamed: false });
    });

    it('bills nothing twice when a batch is sent again', async () => {
      const owner = await freshKey();
      const settlements = [requestRecord(owner), requestRecord(owner)];
      await commit({ settlements });
      await commit({ settlements: [...settlements, requestRecord(owner)], isRetry: true });
      expect(await readBack(owner)).toMatchObject({ spent: 3_000n, hourly: { requests: '3', cost: '3000' } });
    });

    it('takes batches of several replicas at the same time without losing one', async () => {
      const [first, second] = [await freshKey(), await freshKey()];
      const batches = Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? [first, second] : [second, first]).map((owner) => requestRecord(owner)),
      );
      await Promise.all(batches.map((settlements) => commit({ settlements })));
      expect(await readBack(second)).toMatchObject({ spent: 40_000n });
    });
  });

  describe('of holds', () => {
    const getVerdicts = async (holds: HoldRequest[]) => (await commit({ holds })).verdicts;

    it('holds the worst case of a key and of its balance until the request is settled for less', async () => {
      const owner = await freshKey(10_000n);
      const hold = holdRequest(owner, { chargesBalance: true, keyCapNanoUsd: 5_000n });
      const held = await commit({ holds: [hold] });
      expect(held).toEqual({
        verdicts: [{ ok: true, grantedNanoUsd: 1_000n }],
        keys: [{ keyId: owner.keyId, spentNanoUsd: 0n, heldNanoUsd: 1_000n }],
        balances: [{ accountId: owner.accountId, availableNanoUsd: 10_000n, heldNanoUsd: 1_000n }],
      });
      const settled = await commit({ settlements: [getSettlement(hold, { costNanoUsd: 300n })] });
      expect(settled).toEqual({
        verdicts: [],
        keys: [{ keyId: owner.keyId, spentNanoUsd: 300n, heldNanoUsd: 0n }],
        balances: [{ accountId: owner.accountId, availableNanoUsd: 9_700n, heldNanoUsd: 0n }],
      });
      expect((await readBack(owner)).rows).toMatchObject([
        { state: 'settled', costNanoUsd: 300n, heldNanoUsd: 1_000n, operatorCostNanoUsd: 0n },
      ]);
    });

    it('admits as many holds of one batch as fit, and says why the rest is denied', async () => {
      const owner = await freshKey();
      const hold = (wantNanoUsd: bigint) => holdRequest(owner, { keyCapNanoUsd: 2_500n, wantNanoUsd });
      expect(await getVerdicts([hold(1_000n), hold(1_000n), hold(1_000n), hold(500n), hold(9_000n)])).toEqual(
        [
          { ok: true, grantedNanoUsd: 1_000n },
          { ok: true, grantedNanoUsd: 1_000n },
          { ok: false, reason: 'reserved', leftNanoUsd: 2_500n },
          { ok: true, grantedNanoUsd: 500n },
          { ok: false, reason: 'budget_exceeded', leftNanoUsd: 2_500n },
        ],
      );
      expect(await readBack(owner)).toMatchObject({ held: 2_500n });
    });

    it('settles before it admits: amounts released by a batch are available in it', async () => {
      const owner = await freshKey();
      const first = holdRequest(owner, { keyCapNanoUsd: 1_000n });
      await commit({ holds: [first] });
      const next = holdRequest(owner, { keyCapNanoUsd: 1_000n, wantNanoUsd: 900n });
      const { verdicts } = await commit({
        settlements: [getSettlement(first, { costNanoUsd: 100n })],
        holds: [next],
      });
      expect(verdicts).toEqual([{ ok: true, grantedNanoUsd: 900n }]);
    });

    it('denies a hold if the account has no balance', async () => {
      const owner = await freshKey(50n);
      expect(await getVerdicts([holdRequest(owner, { chargesBalance: true })])).toEqual([
        { ok: false, reason: 'insufficient_balance', leftNanoUsd: 50n },
      ]);
      expect(await getVerdicts([holdRequest({ ...owner, keyId: 'key_none' })])).toEqual([
        { ok: false, reason: 'gone', leftNanoUsd: 0n },
      ]);
    });

    it('holds nothing twice when a batch is sent again after its commit', async () => {
      const owner = await freshKey(1_500n);
      const holds = [holdRequest(owner, { chargesBalance: true })];
      await commit({ holds });
      expect((await commit({ holds, isRetry: true })).verdicts).toEqual([
        { ok: true, grantedNanoUsd: 1_000n },
      ]);
      expect(await readBack(owner)).toMatchObject({ held: 1_000n, balance: { heldNanoUsd: 1_000n } });
    });

    it('never bills more than was held: the rest is unbilled cost', async () => {
      const owner = await freshKey(5_000n);
      const hold = holdRequest(owner, { chargesBalance: true });
      await commit({ holds: [hold] });
      await commit({ settlements: [getSettlement(hold, { costNanoUsd: 1_700n })] });
      const { rows, balance } = await readBack(owner);
      expect(rows).toMatchObject([{ costNanoUsd: 1_000n, operatorCostNanoUsd: 700n }]);
      expect(balance).toMatchObject({ availableNanoUsd: 4_000n, heldNanoUsd: 0n });
    });

    it('bills nothing if the database has lost the hold: the cost is unbilled', async () => {
      const owner = await freshKey(5_000n);
      const [lost, kept] = [1, 2].map(() => holdRequest(owner, { chargesBalance: true }));
      if (lost === undefined || kept === undefined) throw new Error('holds are missing');
      await commit({ holds: [kept] });
      const settlements = [lost, kept].map((hold) =>
        getSettlement(hold, { costNanoUsd: 600n, operatorCostNanoUsd: 7n }),
      );
      await commit({ settlements });
      await commit({ settlements, isRetry: true });
      const { spent, held, balance, rows } = await readBack(owner);
      expect({ spent, held }).toEqual({ spent: 600n, held: 0n });
      expect(balance).toMatchObject({ availableNanoUsd: 4_400n, heldNanoUsd: 0n });
      const stored = new Map(rows.map((row) => [row.id, row]));
      expect(stored.get(lost.id)).toMatchObject({ costNanoUsd: 0n, operatorCostNanoUsd: 607n });
      expect(stored.get(kept.id)).toMatchObject({ costNanoUsd: 600n, operatorCostNanoUsd: 7n });
    });

    it('bills a request without a hold in a batch with a settlement of a lost hold', async () => {
      const owner = await freshKey();
      const lost = getSettlement(holdRequest(owner), { costNanoUsd: 600n });
      const unheld = requestRecord(owner, { costNanoUsd: 300n });
      await commit({ settlements: [lost, unheld] });
      const { spent, rows } = await readBack(owner);
      expect(spent).toBe(300n);
      const stored = new Map(rows.map((row) => [row.id, row]));
      expect(stored.get(lost.id)).toMatchObject({ costNanoUsd: 0n, operatorCostNanoUsd: 600n });
      expect(stored.get(unheld.id)).toMatchObject({ costNanoUsd: 300n, operatorCostNanoUsd: 0n });
    });

    it('replaces the estimate for a dead replica by a late settlement, once', async () => {
      const owner = await freshKey(5_000n);
      const hold = holdRequest(owner, { chargesBalance: true });
      await commit({ holds: [hold] });
      const lost = getSettlement(hold, { costNanoUsd: 100n, outputTokens: 0, recovered: true });
      await commit({ settlements: [lost] });
      expect(await readBack(owner)).toMatchObject({ spent: 100n, held: 0n });
      const truth = getSettlement(hold, { costNanoUsd: 800n });
      await commit({ settlements: [truth] });
      await commit({ settlements: [truth, lost] });
      const after = await readBack(owner);
      expect(after).toMatchObject({ spent: 800n, held: 0n, hourly: { requests: '1', cost: '800' } });
      expect(after.balance).toMatchObject({ availableNanoUsd: 4_200n, heldNanoUsd: 0n });
    });

    it('moves the usage of an estimate to the fallback model of a late settlement', async () => {
      const owner = await freshKey(5_000n);
      const hold = holdRequest(owner, { chargesBalance: true });
      await commit({ holds: [hold] });
      const lost = { outputTokens: 3, recovered: true, errorCode: 'replica_lost' };
      await commit({ settlements: [getSettlement(hold, { costNanoUsd: 100n, ...lost })] });
      const named = { model: 'fallback', requestedModel: hold.model };
      await commit({ settlements: [getSettlement(hold, { costNanoUsd: 800n, ...named })] });
      const { rows } = await readBack(owner);
      expect(rows).toMatchObject([{ ...named, costNanoUsd: 800n }]);
      const usage = await database.db.sql`SELECT model, requests::int, errors::int, cost_nano_usd::int AS cost
        FROM usage_hourly WHERE key_id = ${owner.keyId} ORDER BY requests`;
      expect([...usage]).toEqual([
        { model: hold.model, requests: 0, errors: 0, cost: 0 },
        { model: 'fallback', requests: 1, errors: 0, cost: 800 },
      ]);
      const { findings } = await verifyLedger(database.db, { recompute: 0 });
      const own = findings.flatMap(({ violations }) =>
        violations.filter(({ subject }) => subject.includes(owner.keyId)),
      );
      expect(own).toEqual([]);
    });

    it('never admits more than the budget if many replicas commit at the same time', async () => {
      const owner = await freshKey(10_000n);
      const batches = Array.from({ length: 30 }, () =>
        commit({ holds: Array.from({ length: 3 }, () => holdRequest(owner, { chargesBalance: true })) }),
      );
      const verdicts = (await Promise.all(batches)).flatMap((committed) => committed.verdicts);
      expect(verdicts.filter(({ ok }) => ok)).toHaveLength(10);
      expect(await readBack(owner)).toMatchObject({ held: 10_000n });
    });

    it('rejects a whole batch if one of its rows cannot be stored', async () => {
      const owner = await freshKey();
      const bad = holdRequest(owner, { inputTokens: 1.5 });
      await expect(commit({ holds: [holdRequest(owner), bad] })).rejects.toMatchObject({ kind: 'rejected' });
      expect(await readBack(owner)).toMatchObject({ held: 0n });
    });
  });
});
