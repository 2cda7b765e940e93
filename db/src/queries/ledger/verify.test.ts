import type { LedgerBatch } from '@tollgate/core/money/ledger';
import { NO_USAGE } from '@tollgate/core/money/money';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { holdRequest, requestRecord, getSettlement } from '@tollgate/testing/ledger-records';
import { describe, expect, it } from 'vitest';
import { removeModel } from '../models/models.ts';
import { postLedgerEntry } from './post-entry.ts';
import { postUsage } from './post-usage.ts';
import {
  COST,
  createOwner,
  createUsedLedger,
  decodeRawUsage,
  PPM,
  USAGE,
  USD,
} from './used-ledger.fixture.ts';
import { verifyLedger } from './verify.ts';

const HOUR_MS = 3_600_000;

describe('verifyLedger', () => {
  it('finds nothing wrong in entries that the ledger itself has written', async () => {
    await using database = await createTestDatabase();
    await createUsedLedger(database);
    expect(await verifyLedger(database.db, { recompute: null, decodeUsage: decodeRawUsage })).toEqual({
      findings: [],
      counted: {
        accounts: 2,
        keys: 2,
        requests: 8,
        held: 1,
        withoutPrice: 1,
        estimated: 0,
        withoutUsage: 0,
        hours: 4,
        entries: 2,
        unpostedNanoUsd: COST * 2n,
      },
      costs: { requests: 6, withoutPrice: 0, unreadable: 0 },
      usage: { compared: 1, absent: 6, truncated: 0, unreadable: 0 },
    });
  });

  it('computes costs of removed models again, and counts requests whose cost it cannot compute', async () => {
    await using database = await createTestDatabase();
    await createUsedLedger(database);
    const { costs } = await verifyLedger(database.db, { recompute: 2 });
    expect(costs).toEqual({ requests: 2, withoutPrice: 0, unreadable: 0 });
    await removeModel(database.db, 'm');
    const removed = await verifyLedger(database.db, { recompute: null });
    expect(removed).toMatchObject({ findings: [], costs: { requests: 6, withoutPrice: 0 } });
    // As releases before this one did it.
    await database.db.sql`DELETE FROM model_prices`;
    const report = await verifyLedger(database.db, { recompute: null });
    expect(report).toMatchObject({ findings: [], costs: { requests: 0, withoutPrice: 6 } });
  });

  it('allows a balance below zero if a payment was reversed, and only so far', async () => {
    await using database = await createTestDatabase();
    const { accountId } = await createOwner(database, 'standard');
    const dispute = { kind: 'dispute', debit: 'wallet', credit: 'payments' } as const;
    const entry = { accountId, amountNanoUsd: USD, idempotencyKey: 'dispute 1' };
    await postLedgerEntry(database.db, { ...dispute, ...entry });
    expect((await verifyLedger(database.db, { recompute: null })).findings).toEqual([]);
    const adjustment = { kind: 'adjustment', debit: 'wallet', credit: 'adjustments' } as const;
    await postLedgerEntry(database.db, {
      ...adjustment,
      ...entry,
      idempotencyKey: 'below',
      amountNanoUsd: 1n,
    });
    expect((await verifyLedger(database.db, { recompute: null })).findings).toEqual([
      {
        check: 'balance_floor',
        violations: [{ subject: accountId, expected: `at least ${-USD}`, actual: `${-USD - 1n}` }],
        total: 1,
      },
    ]);
  });

  it('accepts a late settlement that the balance cannot cover only if the rest is recorded as unbilled', async () => {
    await using database = await createTestDatabase();
    const { payer } = await createUsedLedger(database);
    const commit = (batch: Partial<LedgerBatch>) => commitBatch(database.db, batch);
    const owned = USD - COST * 5n + 1n - 5_000n;
    const lost = holdRequest(payer, { pricePpm: PPM, wantNanoUsd: owned, chargesBalance: true });
    await commit({ holds: [lost] });
    await commit({ settlements: [getSettlement(lost, { ...NO_USAGE, costNanoUsd: 0n, recovered: true })] });
    // Another key takes nearly all of what was released.
    await commit({ holds: [holdRequest(payer, { wantNanoUsd: owned - 100n, chargesBalance: true })] });
    await commit({ settlements: [getSettlement(lost, { ...USAGE, costNanoUsd: COST })] });
    expect((await verifyLedger(database.db, { recompute: null })).findings).toEqual([]);
    const [row] = await database.db.sql`
      UPDATE requests SET operator_cost_nano_usd = operator_cost_nano_usd - 1 WHERE id = ${lost.id}
      RETURNING cost_nano_usd AS cost`;
    expect(row).toEqual({ cost: 100n });
    const { findings } = await verifyLedger(database.db, { recompute: null });
    expect(findings.map(({ check }) => check)).toEqual(['usage_hourly', 'request_cost']);
  });

  it('reads one snapshot, whatever settles meanwhile', async () => {
    await using database = await createTestDatabase();
    const { payer } = await createUsedLedger(database);
    const over = new AbortController();
    const settle = async () => {
      while (!over.signal.aborted) {
        const hold = holdRequest(payer, { pricePpm: PPM, wantNanoUsd: COST, chargesBalance: true });
        await commitBatch(database.db, { holds: [hold] });
        const settlement = getSettlement(hold, { ...USAGE, costNanoUsd: COST });
        await commitBatch(database.db, { settlements: [settlement] });
        await postUsage(database.db, { before: new Date(Date.now() + HOUR_MS) });
      }
    };
    const settling = Promise.all([settle(), settle()]);
    const findings = [];
    for (let round = 0; round < 10; round++)
      findings.push(...(await verifyLedger(database.db, { recompute: null })).findings);
    over.abort();
    await settling;
    expect(findings).toEqual([]);
    expect((await verifyLedger(database.db, { recompute: null })).counted.requests).toBeGreaterThan(10);
  });

  it('lists the first violations of a check and counts all', async () => {
    await using database = await createTestDatabase();
    const { other } = await createUsedLedger(database);
    const settlements = Array.from({ length: 50 }, () =>
      requestRecord(other, { priceId: 1, costNanoUsd: 1n }),
    );
    await commitBatch(database.db, { settlements });
    const { findings } = await verifyLedger(database.db, { recompute: null });
    expect(findings).toMatchObject([{ check: 'request_cost', total: 50, violations: { length: 20 } }]);
    await database.db.sql`UPDATE requests SET held_nano_usd = 1, cost_nano_usd = 2`;
    const after = (await verifyLedger(database.db, { recompute: null })).findings;
    const overHold = after.find(({ check }) => check === 'request_over_hold');
    expect(overHold).toMatchObject({ total: 58, violations: { length: 20 } });
  });
});
