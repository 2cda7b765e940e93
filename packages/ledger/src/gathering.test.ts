import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { holdRequest, requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HoldOutcome } from './pending-hold.ts';
import { createOwner, createStage, holdOn } from './testing/ledger-stage.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('a hold', () => {
  it('waits some milliseconds for others where requests go ahead meanwhile, and not at all where one does not', async () => {
    const owner = await createOwner(database.db);
    await using stage = createStage(database.url);
    const { ledger, store } = stage;
    const ahead = () => {
      const { promise, resolve } = Promise.withResolvers<HoldOutcome>();
      ledger.hold(holdRequest(owner), resolve, true);
      return promise;
    };
    const first = ahead();
    await sleep(0);
    const second = ahead();
    expect(await Promise.all([first, second])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(store.batches.map(({ holds }) => holds.length)).toEqual([2]);
    const third = ahead();
    const { outcome } = holdOn(ledger, holdRequest(owner));
    await Promise.all([third, outcome]);
    expect(store.batches.map(({ holds }) => holds.length)).toEqual([2, 2]);
  });

  it('goes at once when a request that went ahead has come to where it waits', async () => {
    const owner = await createOwner(database.db);
    await using stage = createStage(database.url);
    const { ledger, store } = stage;
    await holdOn(ledger, holdRequest(owner)).outcome;
    // The connection is there: what is sent from now on is sent without the clock.
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    try {
      const { promise, resolve } = Promise.withResolvers<HoldOutcome>();
      const pending = ledger.hold(holdRequest(owner), resolve, true);
      for (let turn = 0; turn < 10; turn++) await setImmediate();
      expect(store.batches).toHaveLength(1);
      ledger.hurry(pending);
      expect(await promise).toMatchObject({ ok: true });
      ledger.hurry(pending);
      expect(store.batches).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('settlements that nobody waits for', () => {
  const most = (sizes: readonly number[]) => Math.max(...sizes);

  it('go by the thousand, but by the hundred where somebody may wait for what is under way', async () => {
    const [payer, other] = [await createOwner(database.db), await createOwner(database.db)];
    await using stage = createStage(database.url);
    const { ledger, store } = stage;
    const sizes = () => store.batches.splice(0).map(({ settlements }) => settlements.length);
    const settle = (count: number) => {
      for (let i = 0; i < count; i++) ledger.settle(requestRecord(other, { costNanoUsd: 0n }), null);
    };
    settle(1_500);
    await ledger.flush();
    expect(most(sizes())).toBe(1_000);
    settle(600);
    await holdOn(ledger, holdRequest(payer)).outcome;
    await ledger.flush();
    const beside = sizes();
    expect(most(beside)).toBe(100);
    expect(beside.reduce((sum, size) => sum + size)).toBe(600);
    const rows = await database.db.sql`SELECT 1 FROM requests WHERE key_id = ${other.keyId}`;
    expect(rows).toHaveLength(2_100);
  });
});
