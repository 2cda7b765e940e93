import { setTimeout as sleep } from 'node:timers/promises';
import { createId } from '@tollgate/core/runtime/ids';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBodyStore, type BodyStore } from '../../body-store.ts';
import { erasePerson } from '../users/delete-person.ts';
import { deleteAllStale, deleteStale } from '../retention/delete-stale.ts';
import { findRetention, keepStored, stopKeepingStored } from '../retention/retention-setting.ts';
import { findBodies } from './find-bodies.ts';
import { insertBodies, type SealedBodies } from './insert-bodies.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.now();
const daysAgo = (days: number) => NOW_MS - days * DAY_MS;

describe('logged payloads', () => {
  let database: TestDatabase;
  let store: BodyStore;
  beforeAll(async () => {
    database = await createTestDatabase();
    store = openBodyStore(database.url);
  });
  afterAll(async () => {
    await store.close();
    await database[Symbol.asyncDispose]();
  });

  /** An account with a long-standing retention; `days` null: without request logging. */
  async function accountThatKeeps(days: number | null) {
    const { accountId, user } = await createAccountFixture(database.db);
    const change = { accountId, actorUserId: user.id };
    if (days !== null)
      await keepStored(database.db, 'bodies', { ...change, retentionDays: days, now: new Date(daysAgo(60)) });
    return { accountId, user, change };
  }

  const getBodies = (accountId: string, startedAtMs = NOW_MS): SealedBodies => ({
    accountId,
    requestId: createId('req'),
    startedAtMs,
    request: { sealed: Buffer.from([0, 255, 34, 92, 10]), bytes: 5, isTruncated: false },
    answer: { sealed: Buffer.from('sealed'), bytes: 900_000, isTruncated: true },
  });
  const find = ({ accountId, requestId }: SealedBodies, nowMs = NOW_MS) =>
    findBodies(database.db, { accountId, requestId, now: new Date(nowMs) });
  const getCount = async (accountId: string) => {
    const [row] = await database.db.sql<{ rows: bigint }[]>`
      SELECT count(*) AS rows FROM request_bodies WHERE account_id = ${accountId}`;
    return Number(row?.rows);
  };

  it('are read byte by byte, for their account alone, and count once however often they are sent', async () => {
    const { accountId } = await accountThatKeeps(7);
    const other = await accountThatKeeps(7);
    const bodies = getBodies(accountId);
    const unanswered = { ...getBodies(accountId), answer: null };
    await store.insert([bodies, unanswered]);
    await store.insert([bodies, unanswered]);
    expect(await find(bodies)).toEqual(bodies);
    expect(await find(unanswered)).toEqual(unanswered);
    expect(await find({ ...bodies, accountId: other.accountId })).toBeNull();
    expect(await getCount(accountId)).toBe(2);
  });

  it('are stored only if the account logs requests now and did when the request began', async () => {
    const off = await accountThatKeeps(null);
    const { accountId } = await accountThatKeeps(7);
    const early = getBodies(accountId, daysAgo(61));
    const kept = getBodies(accountId);
    await store.insert([getBodies(off.accountId), early, kept, getBodies('acct_none')]);
    expect(await getCount(off.accountId)).toBe(0);
    expect(await getCount(accountId)).toBe(1);
  });

  it('are shown until their retention ends, whether they are deleted by then or not', async () => {
    const { accountId } = await accountThatKeeps(7);
    const bodies = getBodies(accountId, daysAgo(7) + 1);
    await store.insert([bodies]);
    expect(await find(bodies)).not.toBeNull();
    expect(await find(bodies, NOW_MS + 2)).toBeNull();
    expect(await getCount(accountId)).toBe(1);
  });

  it('are deleted after the retention of their account', async () => {
    const week = await accountThatKeeps(7);
    const month = await accountThatKeeps(30);
    const ages = [0, 6, 8, 29, 31];
    for (const { accountId } of [week, month])
      await store.insert(ages.map((days) => getBodies(accountId, daysAgo(days))));
    await deleteAllStale(database.db, new Date(NOW_MS));
    expect([await getCount(week.accountId), await getCount(month.accountId)]).toEqual([2, 4]);
    await keepStored(database.db, 'bodies', { ...month.change, retentionDays: 7, now: new Date(NOW_MS) });
    await deleteStale(database.db, 'bodies', { accountId: month.accountId, now: new Date(NOW_MS) });
    expect(await getCount(month.accountId)).toBe(2);
  });

  it('are all deleted when the account turns request logging off', async () => {
    const { accountId, change } = await accountThatKeeps(7);
    // More than one transaction deletes.
    await store.insert(Array.from({ length: 1_100 }, () => getBodies(accountId)));
    await stopKeepingStored(database.db, 'bodies', change);
    await deleteStale(database.db, 'bodies', { accountId, now: new Date(NOW_MS) });
    await store.insert([getBodies(accountId)]);
    expect(await getCount(accountId)).toBe(0);
    expect(await findRetention(database.db, 'bodies', accountId)).toBeNull();
  });

  it('are deleted then even if a replica is storing them at that moment', async () => {
    const { accountId, change } = await accountThatKeeps(7);
    const [inserted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const storing = database.db.sql.begin(async (sql) => {
      await insertBodies(sql, [getBodies(accountId)]);
      inserted.resolve();
      await mayCommit.promise;
    });
    await inserted.promise;
    const stopping = stopKeepingStored(database.db, 'bodies', change).then(() =>
      deleteStale(database.db, 'bodies', { accountId, now: new Date(NOW_MS) }),
    );
    await Promise.race([stopping, sleep(100)]);
    mayCommit.resolve();
    await storing;
    expect(await stopping).toBe(1);
    expect(await getCount(accountId)).toBe(0);
  });

  it('stay hidden, and are deleted, after the account turns logging off and on again', async () => {
    const { accountId, change } = await accountThatKeeps(7);
    const bodies = getBodies(accountId, daysAgo(1));
    await store.insert([bodies]);
    await stopKeepingStored(database.db, 'bodies', change);
    await keepStored(database.db, 'bodies', { ...change, retentionDays: 30, now: new Date(NOW_MS) });
    expect(await find(bodies)).toBeNull();
    await store.insert([getBodies(accountId, daysAgo(1))]);
    await deleteAllStale(database.db, new Date(NOW_MS));
    expect(await getCount(accountId)).toBe(0);
  });

  it('are deleted with the person who owns the account', async () => {
    const { accountId, user } = await accountThatKeeps(7);
    await store.insert([getBodies(accountId)]);
    const { id: userId, email } = user;
    await erasePerson(database.db, { userId, email, accountIds: [accountId], at: new Date() });
    await store.insert([getBodies(accountId)]);
    expect(await getCount(accountId)).toBe(0);
  });

  it('record who turned logging on, for how long, and off again in the audit log', async () => {
    const { accountId, change, user } = await accountThatKeeps(7);
    await keepStored(database.db, 'bodies', { ...change, retentionDays: 7, now: new Date() });
    await keepStored(database.db, 'bodies', { ...change, retentionDays: 3, now: new Date() });
    await stopKeepingStored(database.db, 'bodies', change);
    await stopKeepingStored(database.db, 'bodies', change);
    const entries = await database.db.sql`
      SELECT action, actor_user_id, detail FROM audit_log
      WHERE account_id = ${accountId} AND action LIKE '%bodies' ORDER BY at, id`;
    const by = { actor_user_id: user.id };
    expect(entries).toEqual([
      { action: 'account.keep_bodies', ...by, detail: { from: null, days: 7 } },
      { action: 'account.keep_bodies', ...by, detail: { from: 7, days: 3 } },
      { action: 'account.stop_keeping_bodies', ...by, detail: {} },
    ]);
  });
});
