import { createId } from '@tollgate/core/ids';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { eq, sum } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyTotals } from '../schema/api-keys.ts';
import { requests, usageHourly } from '../schema/requests.ts';
import { recordRequests, type RequestRecord } from './request-log.ts';

const STARTED_AT_MS = Date.now();

describe('recordRequests', () => {
  let database: TestDatabase;
  let accountId: string;
  let keyId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    accountId = (await createAccountFixture(database.db)).accountId;
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const record = (rest: Partial<RequestRecord> = {}): RequestRecord => ({
    id: createId('req'),
    startedAtMs: STARTED_AT_MS,
    accountId,
    keyId,
    endpoint: '/v1/messages',
    model: 'm',
    provider: 'p',
    upstreamModel: 'm',
    routeId: null,
    attempts: null,
    streamed: false,
    status: 200,
    errorCode: null,
    inputTokens: 10,
    cacheReadTokens: 1,
    cacheWriteTokens: 2,
    outputTokens: 5,
    estimated: false,
    priceId: null,
    costNanoUsd: 1_000n,
    latencyMs: 12,
    firstByteMs: 8,
    ...rest,
  });
  const freshKey = async () => {
    keyId = (await createKeyFixture(database.db, accountId)).key.id;
  };
  const readBack = async () => {
    const { drizzle } = database.db;
    const [totals] = await drizzle.select().from(keyTotals).where(eq(keyTotals.keyId, keyId));
    const [bySum] = await drizzle
      .select({ cost: sum(requests.costNanoUsd) })
      .from(requests)
      .where(eq(requests.keyId, keyId));
    const hours = await drizzle.select().from(usageHourly).where(eq(usageHourly.keyId, keyId));
    return { totals, cost: bySum?.cost, hours };
  };

  it('moves the totals and the hourly usage together with the rows', async () => {
    await freshKey();
    const spent = await recordRequests(database.db, [
      record(),
      record({ status: 429, errorCode: 'rate_limit_requests', costNanoUsd: 0n }),
      record(),
    ]);
    expect(spent).toEqual([{ keyId, spentNanoUsd: 2_000n }]);
    const { totals, cost, hours } = await readBack();
    expect(totals?.spentNanoUsd).toBe(2_000n);
    expect(totals?.lastUsedAt?.getTime()).toBe(STARTED_AT_MS);
    expect(cost).toBe('2000');
    expect(hours).toMatchObject([
      { requests: 3, errors: 1, inputTokens: 30, outputTokens: 15, costNanoUsd: 2_000n },
    ]);
  });

  it('stores what is hard to quote as it is', async () => {
    await freshKey();
    const models = ['a "quoted" one', 'back\\slash', '{braces, commas}', 'NULL', '', ' é✓ '];
    await recordRequests(
      database.db,
      models.map((model) => record({ model, firstByteMs: null })),
    );
    const rows = await database.db.drizzle.select().from(requests).where(eq(requests.keyId, keyId));
    expect(new Set(rows.map((row) => row.model))).toEqual(new Set(models));
    expect(rows[0]).toMatchObject({ startedAt: new Date(STARTED_AT_MS), firstByteMs: null, streamed: false });
  });

  it('bills nothing twice when a batch is sent again', async () => {
    await freshKey();
    const batch = [record(), record()];
    await recordRequests(database.db, batch);
    await recordRequests(database.db, [...batch, record()]);
    const { totals, hours } = await readBack();
    expect(totals?.spentNanoUsd).toBe(3_000n);
    expect(hours).toMatchObject([{ requests: 3, costNanoUsd: 3_000n }]);
  });

  it('takes batches of several replicas at the same time without losing one', async () => {
    await freshKey();
    const first = keyId;
    await freshKey();
    const second = keyId;
    const batches = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? [first, second] : [second, first]).map((id) => record({ keyId: id })),
    );
    await Promise.all(batches.map((batch) => recordRequests(database.db, batch)));
    const { totals } = await readBack();
    expect(totals?.spentNanoUsd).toBe(40_000n);
  });
});
