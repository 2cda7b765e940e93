import { systemClock } from '@tollgate/core/runtime/clock';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord, type RecordOwner } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tailRequests, takeTail } from './tail-requests.ts';

describe('tailRequests', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  async function open() {
    const { db } = database;
    const { user, accountId } = await createAccountFixture(db);
    const { key } = await createKeyFixture(db, accountId);
    const controller = new AbortController();
    const tail = tailRequests({
      db,
      clock: systemClock,
      accountId,
      userId: user.id,
      filter: {},
      signal: controller.signal,
      pace: { everyMs: 5, recheckEveryRounds: 2 },
    });
    return { tail, controller, owner: { accountId, keyId: key.id } };
  }

  async function settle(owner: RecordOwner, count: number): Promise<void> {
    const settlements = Array.from({ length: count }, () => requestRecord(owner));
    await commitBatch(database.db, { settlements });
  }

  it('sends each request once, and reports a gap if more arrived than it can send', async () => {
    const { tail, controller, owner } = await open();
    await settle(owner, 3);
    expect(await tail.next()).toMatchObject({ value: { kind: 'rows', rows: { length: 3 } } });
    await settle(owner, 1);
    expect(await tail.next()).toMatchObject({ value: { kind: 'rows', rows: { length: 1 } } });
    await settle(owner, 250);
    expect(await tail.next()).toMatchObject({ value: { kind: 'gap' } });
    expect(await tail.next()).toMatchObject({ value: { kind: 'rows', rows: { length: 200 } } });
    controller.abort();
    expect(await tail.next()).toEqual({ done: true, value: undefined });
  });

  it('ends for a user who has left the account', async () => {
    const { tail, owner } = await open();
    await settle(owner, 1);
    await tail.next();
    await database.db.sql`DELETE FROM memberships WHERE account_id = ${owner.accountId}`;
    expect(await tail.next()).toEqual({ done: true, value: undefined });
  });
});

describe('takeTail', () => {
  it('has eight places for a session, and one more when one is given back', () => {
    const taken = Array.from({ length: 8 }, () => takeTail('session'));
    expect(taken).not.toContain(null);
    expect(takeTail('session')).toBeNull();
    const other = takeTail('another');
    expect(other).not.toBeNull();
    taken[0]?.();
    const again = takeTail('session');
    expect(again).not.toBeNull();
    for (const giveBack of [...taken.slice(1), again, other]) giveBack?.();
  });
});
