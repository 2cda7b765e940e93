import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import {
  holdRequest,
  requestRecord,
  getSettlement,
  type RecordOwner,
} from '@tollgate/testing/ledger-records';
import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

const PAST_MS = Date.now() - 2 * 3_600_000;

describe('tollgate ledger', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  let owner: RecordOwner;
  /** A prepaid key with $1 that spent 300 nano-dollars two hours ago. A stale replica holds another 1,000. */
  beforeEach(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    const { db } = database;
    const { accountId } = await createAccountFixture(db, { planId: 'free' });
    owner = { accountId, keyId: (await createKeyFixture(db, accountId)).key.id };
    const hold = () =>
      holdRequest(owner, { chargesBalance: true, startedAtMs: PAST_MS, inputCostNanoUsd: 40n });
    const [spent, lost] = [hold(), hold()];
    const replicaId = 'rep_gone';
    await commitBatch(db, { replicaId, holds: [spent, lost] });
    const settlements = [getSettlement(spent, { costNanoUsd: 300n })];
    await commitBatch(db, { replicaId, settlements });
    await db.sql`DELETE FROM replicas`;
  });
  afterEach(() => database[Symbol.asyncDispose]());

  it('reports and settles orphaned holds, posts usage, and verifies the ledger', async () => {
    const before = await tollgate('ledger verify');
    expect(before.code).toBe(1);
    expect(before.stdout).toContain('BROKEN  hold_lost, 1 time: no hold outlives its replica');
    expect(before.stdout).toMatch(/^ {2}req_\w+: held by rep_gone, which does not exist, not settled$/m);

    expect(await tollgate.json('ledger recover')).toEqual({ requests: 1, billedUsd: '0.00000004' });
    expect((await tollgate('ledger recover')).stdout).toBe('No orphaned holds\n');
    expect((await tollgate('ledger post')).stdout).toBe('Posted 1 entry, $0.00000034 in total\n');
    expect(await tollgate.json('ledger post')).toEqual({ entries: 0, chargedUsd: '0.00' });
    expect((await tollgate('ledger post')).stdout).toBe(
      'No usage of past hours to post. Usage of this hour is posted when the hour is over.\n',
    );

    // The price of the holds is not in this database.
    const { code, stdout } = await tollgate('ledger verify');
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'INCOMPLETE  21 rules passed, but 2 costs could not be checked because an earlier release deleted the price with its model',
      '1 account, 1 key, 2 requests (0 in flight), 1 hourly total of usage, 2 ledger entries',
    ]);
    expect(stdout).toMatch(/^0 costs recomputed; not checked: 2 without a readable price or bill$/m);
    expect(stdout).toMatch(/^\$0\.00 of usage not posted yet; [\d.]+ s$/m);
    expect(code).toBe(1);
  });

  it('reports violations as JSON and exits with 1', async () => {
    await database.db.sql`UPDATE key_totals SET spent_nano_usd = 301`;
    await tollgate.json('ledger recover');
    const { code, stdout } = await tollgate('ledger verify --json --recompute');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      violations: [
        {
          check: 'key_spent',
          rule: 'what a key has spent is what its settled requests cost',
          total: 1,
          first: [{ subject: owner.keyId, expected: '340', actual: '341' }],
        },
      ],
      checks: 21,
      counted: {
        accounts: 1,
        keys: 1,
        requests: 2,
        held: 0,
        withoutPrice: 0,
        estimated: 1,
        withoutUsage: 0,
        hours: 1,
        entries: 1,
      },
      unpostedUsd: '0.00000034',
      recomputed: 0,
      withoutPrice: 2,
      unreadable: 0,
      usage: { compared: 0, absent: 1, truncated: 0, unreadable: 0 },
      durationMs: expect.any(Number),
    });
  });

  it('compares stored counts with the usage reported by the provider', async () => {
    const rawUsage =
      '{"input_tokens":7,"cache_read_input_tokens":3,"cache_creation":{"ephemeral_1h_input_tokens":2},"output_tokens":11}';
    const counts = { inputTokens: 7, cacheReadTokens: 3, cacheWrite1hTokens: 2, outputTokens: 11 };
    const record = requestRecord(owner, { ...counts, rawUsage });
    const settlements = [record, requestRecord(owner, { rawUsage: '{"input_tokens":7… (truncated)' })];
    await commitBatch(database.db, { settlements });
    expect((await tollgate('ledger verify')).stdout).toContain(
      "\n1 request compared with the provider's usage; not checked: 1 without a stored report, 1 with a truncated report",
    );
    await database.db.sql`UPDATE requests SET cache_read_tokens = 30 WHERE id = ${record.id}`;
    const { code, stdout } = await tollgate('ledger verify');
    expect(code).toBe(1);
    expect(stdout).toContain(
      `BROKEN  request_usage, 1 time: the counts of a request are the counts that its provider reported\n  ${record.id}: cache read 30, not cache read 3\n`,
    );
  });

  it('reports unreadable bills as incomplete', async () => {
    await tollgate.json('ledger recover');
    await database.db
      .sql`UPDATE requests SET usage_extras = '{"toolCalls": 1}', price_id = ${await addPrice(database)}`;
    const { code, stdout } = await tollgate('ledger verify');
    expect(stdout).toMatch(
      /^INCOMPLETE .* 2 costs could not be checked because the stored bill is unreadable$/m,
    );
    expect(code).toBe(1);
  });
});

async function addPrice({ db }: TestDatabase): Promise<number> {
  await db.sql`INSERT INTO models (id) VALUES ('m')`;
  const [row] = await db.sql<{ id: number }[]>`
    INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
    VALUES ('m', 1, 1, now()) RETURNING id`;
  return row?.id ?? 0;
}
