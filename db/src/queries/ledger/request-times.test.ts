import { LATENCY_BOUNDS_MS } from '@tollgate/core/requests/latency';
import type { LedgerBatch, RequestRecord } from '@tollgate/core/money/ledger';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import {
  holdRequest,
  requestRecord,
  getSettlement,
  type RecordOwner,
} from '@tollgate/testing/ledger-records';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requests, usageHourly } from '../../schema/requests.ts';
import { createOwner } from './used-ledger.fixture.ts';
import { verifyLedger } from './verify.ts';

describe('the times of requests', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const commit = (batch: Partial<LedgerBatch>) => commitBatch(database.db, batch);
  const settle = (settlements: RequestRecord[]) => commit({ settlements });
  const startedAtMs = Date.now();
  /** How many times lie in which bucket, of the one hour that the key was used in. */
  const getCounts = async ({ keyId }: RecordOwner) => {
    const [hour] = await database.db.drizzle.select().from(usageHourly).where(eq(usageHourly.keyId, keyId));
    return { latencies: filled(hour?.latencyCounts), firstBytes: filled(hour?.firstByteCounts) };
  };

  it('are counted in the same buckets by the code and by SQL', async () => {
    const times = LATENCY_BOUNDS_MS.flatMap((bound) => [bound - 1, bound]);
    const rows = await database.db.sql<{ bucket: number }[]>`
      SELECT time_bucket(ms) AS bucket FROM unnest(${times}::integer[]) WITH ORDINALITY AS t(ms, place)
      ORDER BY place`;
    expect(rows.map(({ bucket }) => bucket)).toEqual(
      times.map((_, place) => Math.floor((place + 1) / 2) + 1),
    );
  });

  it('are counted in a list as by an aggregate', async () => {
    const times = [null, 0, ...LATENCY_BOUNDS_MS, ...LATENCY_BOUNDS_MS, 2_147_483_647, null];
    const [row] = await database.db.sql`
      SELECT tally_times(array_agg(ms)) AS tallied, count_times(ms, 1) AS counted, tally_times(ARRAY[NULL::integer]) AS none
      FROM unnest(${times}::integer[]) AS t(ms)`;
    expect(row?.['tallied']).toEqual(row?.['counted']);
    expect(row?.['none']).toEqual(LATENCY_BOUNDS_MS.map(() => 0).concat(0));
  });

  it('are stored with the request, as far as they are known', async () => {
    const owner = await createOwner(database, 'internal');
    const known = { queueMs: 2, holdMs: 31, connectMs: 40, firstByteMs: 300, latencyMs: 900 };
    const unknown = { queueMs: null, holdMs: null, connectMs: null, firstByteMs: null };
    await settle([requestRecord(owner, known), requestRecord(owner, unknown)]);
    const rows = await database.db.drizzle.select().from(requests).where(eq(requests.keyId, owner.keyId));
    expect(rows.toSorted((a, b) => b.latencyMs - a.latencyMs)).toMatchObject([known, unknown]);
  });

  it('are counted by the hour: total latency, and time to first byte', async () => {
    const owner = await createOwner(database, 'internal');
    const at = (latencyMs: number, firstByteMs: number | null, rest: Partial<RequestRecord> = {}) =>
      requestRecord(owner, { startedAtMs, latencyMs, firstByteMs, ...rest });
    await settle([at(9, 3), at(900, 300), at(950, null)]);
    await settle([
      at(900, 1_000_000),
      at(2, null, { errorCode: 'rate_limit_requests', status: 429 }),
      at(50, 40, { errorCode: 'client_gone', status: 499 }),
    ]);
    expect(await getCounts(owner)).toEqual({
      latencies: { 1: 1, 13: 3 },
      firstBytes: { 1: 1, 5: 1, 10: 1, 29: 1 },
    });
  });

  it('are counted once when a batch is sent again', async () => {
    const owner = await createOwner(database, 'internal');
    const hold = holdRequest(owner, { startedAtMs });
    await commit({ holds: [hold] });
    const settlements = [
      getSettlement(hold, { latencyMs: 20 }),
      requestRecord(owner, { startedAtMs, latencyMs: 30 }),
    ];
    await settle(settlements);
    await settle([...settlements, requestRecord(owner, { startedAtMs, latencyMs: 40 })]);
    expect(await getCounts(owner)).toMatchObject({ latencies: { 3: 1, 4: 1, 5: 1 } });
  });

  it('are taken from a late settlement of a request that was considered lost', async () => {
    const owner = await createOwner(database, 'internal');
    const holds = [holdRequest(owner, { startedAtMs }), holdRequest(owner, { startedAtMs })];
    await commit({ holds });
    const [one, other] = holds.map((hold) => getSettlement(hold, { latencyMs: 900, firstByteMs: 300 }));
    const lost = { recovered: true, errorCode: 'replica_lost', status: 499, firstByteMs: null };
    await settle(holds.map((hold) => getSettlement(hold, { ...lost, latencyMs: 60_000 })));
    expect(await getCounts(owner)).toEqual({ latencies: {}, firstBytes: {} });
    if (one === undefined || other === undefined) throw new Error('two requests were held');
    await settle([one, { ...other, errorCode: 'upstream_error', queueMs: 5, holdMs: 6, connectMs: 7 }]);
    expect(await getCounts(owner)).toEqual({ latencies: { 13: 1 }, firstBytes: { 10: 2 } });
    const [row] = await database.db.drizzle.select().from(requests).where(eq(requests.id, other.id));
    expect(row).toMatchObject({ queueMs: 5, holdMs: 6, connectMs: 7, recovered: false });
  });

  it('pass the verification of the ledger', async () => {
    const { findings } = await verifyLedger(database.db, { recompute: 0 });
    expect(findings).toEqual([]);
  });
});

/** By bucket number, from 1, without empty buckets. */
function filled(counts: readonly number[] | undefined): Record<number, number> {
  const places = (counts ?? []).map((count, bucket) => [bucket + 1, count] as const);
  return Object.fromEntries(places.filter(([, count]) => count > 0));
}
