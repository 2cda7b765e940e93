import { setTimeout as sleep } from 'node:timers/promises';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { holdRequest } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beatReplica, listLostHolds } from './lost-holds.ts';
import { createOwner } from './used-ledger.fixture.ts';

/** Of 1,000 nano-dollars for an output token. */
const PRICE_ID = 901;

describe('an orphaned hold', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { sql } = database.db;
    await sql`INSERT INTO model_prices
      (id, model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      OVERRIDING SYSTEM VALUE VALUES (${PRICE_ID}, 'm', 1000000, 1000000000, now())`;
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it.each([
    ['what it can have written until the last sign of life', 5_000_000n, 10 * 40 * 1_000],
    ['no more than what is held in addition to the input', 300_100n, 300_000],
  ])('is billed by its input, and its output is unbilled cost: %s', async (_, wantNanoUsd, unbilled) => {
    const { sql } = database.db;
    await beatReplica(sql, 'rep_test');
    const owner = await createOwner(database, 'internal');
    const startedAtMs = Date.now();
    const hold = holdRequest(owner, { startedAtMs, priceId: PRICE_ID, wantNanoUsd, inputCostNanoUsd: 100n });
    await commitBatch(database.db, { holds: [hold] });
    await sql`UPDATE replicas SET heartbeat_at = to_timestamp(${startedAtMs + 10_000} / 1000.0)
      WHERE id = 'rep_test'`;
    // Any replica counts as silent now.
    const lost = await listLostHolds(sql, -60_000, 100);
    const record = lost.find(({ id }) => id === hold.id);
    expect(record).toMatchObject({ costNanoUsd: 100n, errorCode: 'replica_lost', recovered: true });
    expect(record?.operatorCostNanoUsd).toBe(BigInt(unbilled));
    await commitBatch(database.db, { settlements: lost });
    const [row] = await sql`SELECT cost_nano_usd AS cost, operator_cost_nano_usd AS unbilled FROM requests
      WHERE id = ${hold.id}`;
    expect(row).toEqual({ cost: 100n, unbilled: BigInt(unbilled) });
  });

  it('has no unbilled output if the replica sent no heartbeat afterwards', async () => {
    const { sql } = database.db;
    await beatReplica(sql, 'rep_test');
    const owner = await createOwner(database, 'internal');
    await sleep(5);
    const hold = holdRequest(owner, { priceId: PRICE_ID, wantNanoUsd: 5_000_000n });
    await commitBatch(database.db, { holds: [hold] });
    const lost = await listLostHolds(sql, -60_000, 100);
    expect(lost.find(({ id }) => id === hold.id)?.operatorCostNanoUsd).toBe(0n);
  });
});
