import type { RequestRecord } from '@tollgate/core/money/ledger';
import { createId } from '@tollgate/core/runtime/ids';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { requestRecord, type RecordOwner } from '@tollgate/testing/ledger-records';
import { sql, type SQL } from 'drizzle-orm';
import { afterAll, expect, it } from 'vitest';
import { createOwner } from '../ledger/used-ledger.fixture.ts';
import { listFailures, listProviderFailures, selectNewest, selectNewestOfAll } from './list-failures.ts';

const database = await createTestDatabase();
afterAll(() => database[Symbol.asyncDispose]());
const mine = await createOwner(database, 'internal');
const theirs = await createOwner(database, 'internal');
const nowMs = Date.now();

async function add(owner: RecordOwner, minutesAgo: number, rest: Partial<RequestRecord>): Promise<string> {
  const startedAtMs = nowMs - minutesAgo * 60_000;
  const record = requestRecord(owner, { id: createId('req', startedAtMs), startedAtMs, model: 'm', ...rest });
  await commitBatch(database.db, { settlements: [record] });
  return record.id;
}

const limited = (seconds: number) => ({
  status: 429,
  errorCode: 'rate_limit_requests',
  errorMessage: `Try again in ${seconds} seconds.`,
});
const attempt = { route: 'r', provider: 'acme', upstreamModel: 'u', status: 503, durationMs: 5 };
const overloaded = { ...attempt, outcome: 'status_503', errorType: 'overloaded', errorMessage: 'Overloaded' };

await add(mine, 50, limited(12));
const newestLimited = await add(mine, 5, { ...limited(31), model: 'other' });
await add(mine, 4, {
  status: 400,
  errorCode: 'invalid_request',
  errorMessage: 'max_tokens must be a number.',
});
await add(mine, 3, { status: 400, errorCode: 'invalid_request', errorMessage: 'messages must be a list.' });
await add(mine, 2, { status: 499, errorCode: 'client_gone' });
await add(mine, 1, {});
const answered = await add(mine, 8, { attempts: [overloaded, { ...attempt, outcome: 'answered' }] });
const failed = await add(theirs, 7, {
  errorCode: 'upstream_overloaded',
  status: 503,
  attempts: [overloaded],
});
await add(theirs, 6, {
  errorCode: 'upstream_error',
  status: 502,
  attempts: [{ ...attempt, provider: 'other', outcome: 'cut', detail: 'read ECONNRESET' }],
});

const read = (filter = {}, rest = {}) =>
  listFailures(database.db, { accountId: mine.accountId, filter, nowMs, ...rest });

it('groups the failures of an account by code and message, whatever numbers it has', async () => {
  const { groups, searchedTo } = await read();
  expect(groups.map(({ code, failures }) => [code, failures])).toEqual([
    ['rate_limit_requests', 2],
    ['invalid_request', 1],
    ['invalid_request', 1],
  ]);
  expect(groups[0]).toMatchObject({
    message: 'Try again in 31 seconds.',
    models: ['m', 'other'],
    firstAt: new Date(nowMs - 50 * 60_000),
    lastAt: new Date(nowMs - 5 * 60_000),
    example: { id: newestLimited, accountId: mine.accountId },
  });
  expect(searchedTo).toBeNull();
});

it('filters by time, key and model', async () => {
  expect((await read({ model: 'other' })).groups).toMatchObject([{ failures: 1, models: ['other'] }]);
  const from = new Date(nowMs - 10 * 60_000).toISOString();
  expect((await read({ from })).groups.find(({ code }) => code === 'rate_limit_requests')?.failures).toBe(1);
  expect((await read({ key: mine.keyId })).groups).toHaveLength(3);
  expect((await read({ key: theirs.keyId })).groups).toEqual([]);
});

it('says how far it has searched if it has not read everything', async () => {
  const { groups, searchedTo } = await read({}, { scannedRows: 3 });
  expect(groups).toMatchObject([{ code: 'invalid_request', message: 'messages must be a list.' }]);
  expect(searchedTo).toEqual(new Date(nowMs - 3 * 60_000));
});

it('shows an account nothing of another one', async () => {
  const { groups } = await listFailures(database.db, { accountId: theirs.accountId, filter: {}, nowMs });
  expect(groups.map(({ code }) => code).toSorted()).toEqual(['upstream_error', 'upstream_overloaded']);
});

it('groups failed attempts at providers over all accounts, also of answered requests', async () => {
  const since = new Date(nowMs - 3_600_000);
  const all = { since, provider: null, model: null };
  const { groups } = await listProviderFailures(database.db, all);
  expect(groups).toMatchObject([
    {
      code: 'status_503',
      errorType: 'overloaded',
      provider: 'acme',
      failures: 2,
      answered: 1,
      message: 'Overloaded',
    },
    { code: 'cut', provider: 'other', failures: 1, answered: 0, message: 'read ECONNRESET' },
  ]);
  expect(groups[0]?.example).toEqual({ id: failed, accountId: theirs.accountId });
  expect(answered).not.toBe(failed);
  expect((await listProviderFailures(database.db, { ...all, provider: 'other' })).groups).toHaveLength(1);
  expect((await listProviderFailures(database.db, { ...all, model: 'none' })).groups).toEqual([]);
});

it('reads only as many rows as it may', async () => {
  const since = new Date(nowMs - 3_600_000);
  const { groups, searchedTo } = await listProviderFailures(database.db, {
    since,
    provider: null,
    model: null,
    scannedRows: 2,
  });
  expect(groups).toEqual([]);
  expect(searchedTo).toEqual(new Date(nowMs - 2 * 60_000));
});

it('finds the newest requests by an index in a large table, without sorting it', async () => {
  const { db } = database;
  const partition = `requests_${new Date(nowMs).toISOString().slice(0, 7).replace('-', '_')}`;
  const spread = Math.min(nowMs - new Date(new Date(nowMs).toISOString().slice(0, 7)).getTime(), 86_400_000);
  for (let batch = 0; batch < 5; batch += 1)
    await commitBatch(db, {
      settlements: Array.from({ length: 1_000 }, (_, index) => {
        const startedAtMs = nowMs - Math.floor((spread * (batch * 1_000 + index)) / 5_000);
        return requestRecord(index % 2 === 0 ? mine : theirs, {
          id: createId('req', startedAtMs),
          startedAtMs,
        });
      }),
    });
  await db.sql`ANALYZE requests`;
  const explain = async (query: SQL) => {
    const lines = await db.drizzle.execute<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${query}`);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  };
  const { accountId, keyId } = mine;
  const plans = await Promise.all([
    explain(selectNewest({ accountId, filter: {}, nowMs, scannedRows: 20 })),
    explain(selectNewest({ accountId, filter: { key: keyId }, nowMs, scannedRows: 20 })),
    explain(selectNewestOfAll({ since: new Date(nowMs - 3_600_000), scannedRows: 20 })),
  ]);
  for (const plan of plans) {
    expect(plan).toContain(`Index Scan Backward using ${partition}`);
    expect(plan).not.toContain(`Seq Scan on ${partition}`);
  }
});
