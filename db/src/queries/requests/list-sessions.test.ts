import type { RequestRecord } from '@tollgate/core/money/ledger';
import { createId } from '@tollgate/core/runtime/ids';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { requestRecord, type RecordOwner } from '@tollgate/testing/ledger-records';
import { afterAll, expect, it } from 'vitest';
import { createOwner } from '../ledger/used-ledger.fixture.ts';
import { listRequests } from './list-requests.ts';
import { listSessions, listTurns, readSession } from './list-sessions.ts';
import { sumSessions } from './session-totals.ts';

const database = await createTestDatabase();
afterAll(() => database[Symbol.asyncDispose]());
const mine = await createOwner(database, 'internal');
const theirs = await createOwner(database, 'internal');
const nowMs = Date.now();

async function add(owner: RecordOwner, minutesAgo: number, rest: Partial<RequestRecord>): Promise<string> {
  const startedAtMs = nowMs - minutesAgo * 60_000;
  const record = requestRecord(owner, { id: createId('req', startedAtMs), startedAtMs, ...rest });
  await commitBatch(database.db, { settlements: [record] });
  return record.id;
}

const first = await add(mine, 60, { session: 'refactor', client: 'claude-cli 2.1.332', latencyMs: 4_000 });
const second = await add(mine, 30, {
  session: 'refactor',
  model: 'other',
  inputTokens: 20,
  cacheReadTokens: 70,
  cacheWriteTokens: 10,
  costNanoUsd: 500n,
});
const third = await add(mine, 20, { session: 'refactor', status: 503, errorCode: 'upstream_overloaded' });
await add(mine, 10, { session: 'refactor', status: 499, errorCode: 'client_gone', latencyMs: 9_000 });
await add(mine, 5, { session: 'review' });
await add(mine, 1, {});
await add(theirs, 2, { session: 'refactor', costNanoUsd: 77n });

const list = (filter = {}, rest = {}) =>
  listSessions(database.db, { accountId: mine.accountId, filter, nowMs, ...rest });

it('lists the sessions of an account with their sums, the most recent first', async () => {
  const { sessions, hasMore, searchedTo } = await list();
  expect(sessions.map(({ session }) => session)).toEqual(['review', 'refactor']);
  expect(sessions[1]).toEqual({
    session: 'refactor',
    requests: 4,
    isCut: false,
    open: 0,
    failed: 1,
    inputTokens: 130,
    cacheReadTokens: 70,
    outputTokens: 20,
    costNanoUsd: 3_500n,
    busyMs: 13_024,
    firstAt: new Date(nowMs - 60 * 60_000),
    lastAt: new Date(nowMs - 10 * 60_000 + 9_000),
    models: ['m', 'other'],
    clients: ['claude-cli 2.1.332'],
  });
  expect([hasMore, searchedTo]).toEqual([false, null]);
});

it('finds a session by its activity in the time range, and adds up what was before it too', async () => {
  const from = new Date(nowMs - 25 * 60_000).toISOString();
  const to = new Date(nowMs - 15 * 60_000).toISOString();
  expect((await list({ from, to })).sessions).toMatchObject([{ session: 'refactor', requests: 4 }]);
  expect((await list({ key: theirs.keyId })).sessions).toEqual([]);
});

it('says how far it has searched if it has not read everything', async () => {
  const { sessions, searchedTo } = await list({}, { scannedRows: 2 });
  expect(sessions.map(({ session }) => session)).toEqual(['review']);
  expect(searchedTo).toEqual(new Date(nowMs - 5 * 60_000));
});

it('adds up only the requests that it counts', async () => {
  const query = { accountId: mine.accountId, sessions: ['refactor'] };
  const sum = async (maxRequests: number) => (await sumSessions(database.db, { ...query, maxRequests }))[0];
  const [cut, whole] = [await sum(3), await sum(4)];
  expect(cut).toMatchObject({ requests: 3, isCut: true, costNanoUsd: 2_500n });
  expect(whole).toMatchObject({ requests: 4, isCut: false, costNanoUsd: 3_500n });
});

it('reads the requests of a session in order, page by page', async () => {
  const query = { accountId: mine.accountId, session: 'refactor', limit: 2 };
  const page = await listTurns(database.db, query);
  expect(page.requests.map(({ id }) => id)).toEqual([first, second]);
  const next = await listTurns(database.db, { ...query, cursor: page.nextCursor ?? undefined });
  expect(next.requests[0]?.id).toBe(third);
  expect(next.nextCursor).toBeNull();
});

it('keeps sessions of the same name in two accounts apart', async () => {
  const { accountId } = theirs;
  expect(await readSession(database.db, { accountId, session: 'refactor' })).toMatchObject({
    requests: 1,
    costNanoUsd: 77n,
  });
  expect(await readSession(database.db, { accountId, session: 'review' })).toBeNull();
  expect((await listTurns(database.db, { accountId, session: 'review', limit: 5 })).requests).toEqual([]);
});

it('adds up the newest 500 requests of a session in the list, and all of them on its own page', async () => {
  const owner = await createOwner(database, 'internal');
  const { accountId } = owner;
  const settlements = Array.from({ length: 501 }, (_, index) => {
    const startedAtMs = nowMs - index * 1_000;
    return requestRecord(owner, { id: createId('req', startedAtMs), startedAtMs, session: 'long' });
  });
  await commitBatch(database.db, { settlements });
  const { sessions } = await listSessions(database.db, { accountId, filter: {}, nowMs });
  expect(sessions).toMatchObject([{ requests: 500, isCut: true, firstAt: new Date(nowMs - 499_000) }]);
  expect(await readSession(database.db, { accountId, session: 'long' })).toMatchObject({
    requests: 501,
    isCut: false,
    firstAt: new Date(nowMs - 500_000),
  });
});

it('filters the request log by session', async () => {
  const query = { accountId: mine.accountId, filter: { session: 'refactor' }, limit: 10, nowMs };
  const { requests } = await listRequests(database.db, query);
  expect(requests).toHaveLength(4);
  expect(requests.every(({ session }) => session === 'refactor')).toBe(true);
});

it('finds the requests of a session by their index', async () => {
  const plan = await database.db.sql.begin(async (sql) => {
    await sql`SET LOCAL enable_seqscan = off`;
    return sql<{ 'QUERY PLAN': string }[]>`EXPLAIN SELECT * FROM requests
      WHERE account_id = ${mine.accountId} AND session = 'refactor' ORDER BY started_at DESC LIMIT 10`;
  });
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(
    /Index Scan Backward using requests_\S*account_id_session_started_at_idx/,
  );
});
