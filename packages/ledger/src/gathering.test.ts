import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { holdRequest, requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HoldOutcome } from './pending-hold.ts';
import { createOwner, createHarness, holdOn } from './testing/ledger-harness.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('a hold', () => {
  it('waits some milliseconds for others if its request continues meanwhile, and not otherwise', async () => {
    const owner = await createOwner(database.db);
    await using harness = createHarness(database.url);
    const { ledger, store } = harness;
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

  it('is sent immediately once its request waits for it', async () => {
    const owner = await createOwner(database.db);
    await using harness = createHarness(database.url);
    const { ledger, store } = harness;
    await holdOn(ledger, holdRequest(owner)).outcome;
    // Connected: from here on, sending needs no timers.
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

describe('settlements without a waiting request', () => {
  const most = (sizes: readonly number[]) => Math.max(...sizes);

  it('are sent in batches of a thousand, or twenty if a request may wait', async () => {
    const [payer, other] = [await createOwner(database.db), await createOwner(database.db)];
    await using harness = createHarness(database.url);
    const { ledger, store } = harness;
    const sizes = () => store.batches.splice(0).map(({ settlements }) => settlements.length);
    const settle = (count: number) => {
      for (let i = 0; i < count; i++) ledger.settle(requestRecord(other, { costNanoUsd: 0n }), null);
    };
    settle(1_500);
    await ledger.flush();
    expect(most(sizes())).toBe(1_000);
    settle(400);
    await holdOn(ledger, holdRequest(payer)).outcome;
    await ledger.flush();
    const withHolds = sizes();
    expect(most(withHolds)).toBe(20);
    expect(withHolds.reduce((sum, size) => sum + size)).toBe(400);
    const rows = await database.db.sql`SELECT 1 FROM requests WHERE key_id = ${other.keyId}`;
    expect(rows).toHaveLength(1_900);
  });
});
