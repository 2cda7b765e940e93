import type { RequestRecord } from '@tollgate/core/money/ledger';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { holdRequest, requestRecord, type RecordOwner } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beatReplica } from '../ledger/lost-holds.ts';
import { findRequest } from './find-request.ts';
import { listRequests, readRequests, type RequestListQuery } from './list-requests.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = Date.now();

describe('listRequests', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await beatReplica(database.db.sql, 'rep_test');
  });
  afterAll(() => database[Symbol.asyncDispose]());

  async function createOwner(): Promise<RecordOwner> {
    const { accountId } = await createAccountFixture(database.db);
    const { key } = await createKeyFixture(database.db, accountId, { name: 'ci' });
    return { accountId, keyId: key.id };
  }

  async function settle(owner: RecordOwner, requests: Partial<RequestRecord>[]): Promise<string[]> {
    const settlements = requests.map((rest, index) =>
      requestRecord(owner, { startedAtMs: NOW_MS - (index + 1) * MINUTE_MS, ...rest }),
    );
    await commitBatch(database.db, { settlements });
    return settlements.map((record) => record.id);
  }

  const list = (query: Partial<RequestListQuery> & { accountId: string }) =>
    listRequests(database.db, { filter: {}, limit: 50, nowMs: NOW_MS, ...query });

  /** The ids that a list gives, page by page. */
  async function walk(query: Partial<RequestListQuery> & { accountId: string }): Promise<string[][]> {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ ...query, cursor });
      pages.push(page.requests.map((request) => request.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return pages;
  }

  it('shows the newest first, every request once, for any page size', async () => {
    const owner = await createOwner();
    const sameMoment = { startedAtMs: NOW_MS - HOUR_MS };
    const ids = await settle(owner, [
      {},
      {},
      sameMoment,
      sameMoment,
      sameMoment,
      { startedAtMs: NOW_MS - 2 * HOUR_MS },
    ]);
    const [whole = []] = await walk({ accountId: owner.accountId });
    expect(whole.toSorted()).toEqual(ids.toSorted());
    expect([whole[0], whole[1], whole[5]]).toEqual([ids[0], ids[1], ids[5]]);
    // Of the same moment: by id, the newest first.
    expect(whole.slice(2, 5)).toEqual(ids.slice(2, 5).toSorted().toReversed());
    expect((await walk({ accountId: owner.accountId, limit: 2 })).flat()).toEqual(whole);
    expect((await walk({ accountId: owner.accountId, limit: 1 })).flat()).toEqual(whole);
  });

  it('looks seven days back by default, and over a month if requested', async () => {
    const owner = await createOwner();
    const days = (count: number) => ({ startedAtMs: NOW_MS - count * 24 * HOUR_MS });
    const [week, month] = await settle(owner, [days(5.9), days(8)]);
    expect((await walk(owner)).flat()).toEqual([week]);
    expect((await walk({ ...owner, filter: { range: '30d' } })).flat()).toEqual([week, month]);
    const from = new Date(NOW_MS - 9 * 24 * HOUR_MS).toISOString();
    const to = new Date(NOW_MS - 7 * 24 * HOUR_MS).toISOString();
    expect((await walk({ ...owner, filter: { from, to } })).flat()).toEqual([month]);
  });

  it('filters by key, model, status, class of status, code and minimum cost', async () => {
    const owner = await createOwner();
    const { key } = await createKeyFixture(database.db, owner.accountId);
    const [plain, limited, broken, dear] = await settle(owner, [
      {},
      { status: 429, errorCode: 'rate_limit_requests', costNanoUsd: 0n },
      { status: 200, errorCode: 'upstream_error', model: 'other' },
      { costNanoUsd: 2_000_000_000n },
    ]);
    const [ofKey] = await settle({ ...owner, keyId: key.id }, [{ startedAtMs: NOW_MS - HOUR_MS }]);
    const { accountId } = owner;
    const found = async (filter: RequestListQuery['filter']) => (await walk({ accountId, filter })).flat();
    expect(await found({ key: key.id })).toEqual([ofKey]);
    expect(await found({ model: 'other' })).toEqual([broken]);
    expect(await found({ status: '429' })).toEqual([limited]);
    expect(await found({ status: '4xx' })).toEqual([limited]);
    expect(await found({ status: 'failed' })).toEqual([limited, broken]);
    expect(await found({ status: '2xx', key: owner.keyId })).toEqual([plain, broken, dear]);
    expect(await found({ code: 'upstream_error' })).toEqual([broken]);
    expect(await found({ minCost: '2' })).toEqual([dear]);
    expect(await found({ minCost: '2.000000001' })).toEqual([]);
  });

  it('names the key of each request, and shows requests in flight', async () => {
    const owner = await createOwner();
    const hold = holdRequest(owner, { startedAtMs: NOW_MS - MINUTE_MS });
    await commitBatch(database.db, { holds: [hold] });
    const { requests } = await list({ accountId: owner.accountId, filter: { status: 'open' } });
    expect(requests).toMatchObject([{ id: hold.id, state: 'held', keyName: 'ci' }]);
    expect(await readRequests(database.db, { accountId: owner.accountId, requests })).toEqual(requests);
    const stranger = await createOwner();
    expect(await readRequests(database.db, { accountId: stranger.accountId, requests })).toEqual([]);
  });

  it('stops a search for rare requests at the scan limit, reports how far it came, and continues there', async () => {
    const owner = await createOwner();
    const rare = { model: 'rare', startedAtMs: NOW_MS - 2 * HOUR_MS };
    const ids = await settle(owner, [...Array.from({ length: 24 }, () => ({})), rare]);
    const search = { accountId: owner.accountId, filter: { model: 'rare' }, scannedRows: 10 };
    const first = await list(search);
    expect(first).toMatchObject({ requests: [], searchedTo: new Date(NOW_MS - 10 * MINUTE_MS) });
    expect(await walk(search)).toEqual([[], [], [ids[24]]]);
  });

  it('shows no requests of another account, whether by its keys, its ids or its cursors', async () => {
    const theirs = await createOwner();
    const mine = await createOwner();
    const [id = ''] = await settle(theirs, [{}, {}]);
    const { nextCursor } = await list({ accountId: theirs.accountId, limit: 1 });
    expect(nextCursor).not.toBeNull();
    const { accountId } = mine;
    expect((await list({ accountId, cursor: nextCursor ?? '' })).requests).toEqual([]);
    expect((await list({ accountId, filter: { key: theirs.keyId } })).requests).toEqual([]);
    expect(await findRequest(database.db, { accountId, requestId: id })).toBeNull();
    expect(await findRequest(database.db, { accountId: theirs.accountId, requestId: id })).toMatchObject({
      request: { id },
      key: { name: 'ci' },
      price: null,
    });
  });
});
