import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@tollgate/db/client';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { holdRequest, requestRecord, getSettlement } from '@tollgate/testing/ledger-records';
import { startPostgres } from '@tollgate/testing/postgres-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createOwner,
  createHarness,
  findViolations,
  holdOn,
  readStanding,
} from './testing/ledger-harness.ts';
import { createFaultyProxy } from '@tollgate/testing/faulty-proxy';

/** The ledger checks for recovery four times a second. */
const BACK_WITHIN = { timeout: 10_000, interval: 20 };

describe('a database outage', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('refuses holds, keeps settlements on disk, and stores each once after recovery', async () => {
    const { db } = database;
    const owner = await createOwner(db, 1_000_000n);
    await using proxy = await createFaultyProxy(database.url);
    await using harness = createHarness(proxy.url);
    const { ledger, directory } = harness;
    const holds = Array.from({ length: 200 }, () =>
      holdOn(ledger, holdRequest(owner, { chargesBalance: true })),
    );
    await Promise.all(holds.map(({ outcome }) => outcome));
    proxy.cut();
    const refused = await holdOn(ledger, holdRequest(owner)).outcome;
    expect(refused).toEqual({ ok: false, reason: 'unavailable' });
    for (const { pending } of holds.slice(0, 150))
      ledger.settle(getSettlement(pending.request, { costNanoUsd: 300n }), pending);
    ledger.settle(requestRecord(owner, { costNanoUsd: 0n, status: 503 }), null);
    expect(ledger.health).toMatchObject({ isWritable: false, waiting: 0, isSpoolFull: false });
    expect(directory.read(/open/).trimEnd().split('\n')).toHaveLength(151);
    const askedAtMs = performance.now();
    expect(await holdOn(ledger, holdRequest(owner)).outcome).toEqual({ ok: false, reason: 'unavailable' });
    expect(performance.now() - askedAtMs).toBeLessThan(100);
    proxy.mend();
    await vi.waitFor(
      () => expect(ledger.health).toMatchObject({ isWritable: true, spooledBytes: 0 }),
      BACK_WITHIN,
    );
    for (const { pending } of holds.slice(150))
      ledger.settle(getSettlement(pending.request, { costNanoUsd: 300n }), pending);
    await ledger.flush();
    const { rows, ...sums } = await readStanding(db, owner);
    expect(sums).toEqual({ spent: 60_000n, held: 0n, available: 940_000n, walletHeld: 0n });
    expect(rows).toHaveLength(201);
    expect(directory.read(/ndjson/)).toBe('');
  });

  it('is detected if the database never responds, and its data counts once', async () => {
    const { db } = database;
    const owner = await createOwner(db);
    await using proxy = await createFaultyProxy(database.url);
    await using harness = createHarness(proxy.url);
    const { ledger } = harness;
    const first = holdOn(ledger, holdRequest(owner));
    await first.outcome;
    proxy.stall();
    ledger.settle(getSettlement(first.pending.request), first.pending);
    const second = holdOn(ledger, holdRequest(owner));
    const startedAtMs = performance.now();
    expect(await second.outcome).toEqual({ ok: false, reason: 'unavailable' });
    // Its statement has 4 s, twice.
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    ledger.settle(getSettlement(second.pending.request, { costNanoUsd: 0n, status: 503 }), second.pending);
    proxy.mend();
    await vi.waitFor(
      () => expect(ledger.health).toMatchObject({ isWritable: true, spooledBytes: 0 }),
      BACK_WITHIN,
    );
    await ledger.flush();
    const { spent, held, rows } = await readStanding(db, owner);
    expect({ spent, held, rows: rows.length }).toEqual({ spent: 1_000n, held: 0n, rows: 2 });
  }, 30_000);

  it('counts an unconfirmed commit once', async () => {
    const { db } = database;
    const owner = await createOwner(db, 3_000n);
    await using proxy = await createFaultyProxy(database.url);
    await using harness = createHarness(proxy.url);
    const { ledger, store } = harness;
    const first = holdOn(ledger, holdRequest(owner, { chargesBalance: true }));
    await first.outcome;
    // Observed before any retry.
    const seen: unknown[] = [];
    store.afterCommit = async () => {
      const { spent, held } = await readStanding(db, owner);
      seen.push({ spent, held });
    };
    proxy.loseNextAnswer();
    ledger.settle(getSettlement(first.pending.request, { costNanoUsd: 400n }), first.pending);
    const holds = Array.from({ length: 3 }, () =>
      holdOn(ledger, holdRequest(owner, { chargesBalance: true })),
    );
    const outcomes = await Promise.all(holds.map(({ outcome }) => outcome));
    expect(seen).toEqual([{ spent: 400n, held: 2_000n }]);
    expect(outcomes).toEqual([
      { ok: true, grantedNanoUsd: 1_000n },
      { ok: true, grantedNanoUsd: 1_000n },
      { ok: false, reason: 'reserved', leftNanoUsd: 2_600n },
    ]);
    expect(store.batches.map(({ isRetry }) => isRetry)).toEqual([false, false, true]);
    expect(await readStanding(db, owner)).toMatchObject({ spent: 400n, held: 2_000n, available: 2_600n });
    for (const { pending } of holds)
      ledger.settle(getSettlement(pending.request, { costNanoUsd: 0n }), pending);
    await ledger.flush();
    expect(await readStanding(db, owner)).toMatchObject({ spent: 400n, held: 0n, walletHeld: 0n });
  });

  it('does not count settlements as unstorable on a read-only database', async () => {
    const { db } = database;
    const owner = await createOwner(db);
    // Like a failover to a standby: every write is refused.
    const readOnly = new URL(database.url);
    readOnly.searchParams.set('default_transaction_read_only', 'on');
    await using harness = createHarness(readOnly.href);
    const { ledger, directory } = harness;
    const refused = holdOn(ledger, holdRequest(owner));
    ledger.settle(requestRecord(owner), null);
    expect(await refused.outcome).toEqual({ ok: false, reason: 'unavailable' });
    expect(ledger.health.isWritable).toBe(false);
    expect(directory.read(/open/).trimEnd().split('\n')).toHaveLength(1);
    expect(directory.read(/rejected/)).toBe('');
  });

  it('neither delays holds for a long spool nor the spool for traffic', async () => {
    const { db } = database;
    const owner = await createOwner(db);
    await using proxy = await createFaultyProxy(database.url);
    await using harness = createHarness(proxy.url);
    const { ledger, store } = harness;
    proxy.cut();
    await holdOn(ledger, holdRequest(owner)).outcome;
    for (let i = 0; i < 5_000; i++) ledger.settle(requestRecord(owner, { costNanoUsd: 1n }), null);
    proxy.mend();
    await vi.waitFor(() => expect(ledger.health.isWritable).toBe(true), BACK_WITHIN);
    const alone = store.batches.length;
    // After every batch, holds are already waiting.
    const asked: ReturnType<typeof holdOn>[] = [];
    const stopAtMs = performance.now() + 10_000;
    const askOnAndOn = async () => {
      while (ledger.health.spooledBytes > 0 && performance.now() < stopAtMs) {
        const hold = holdOn(ledger, holdRequest(owner, { wantNanoUsd: 1n }));
        asked.push(hold);
        expect(await hold.outcome).toMatchObject({ ok: true });
      }
    };
    await Promise.all(Array.from({ length: 5 }, askOnAndOn));
    expect(ledger.health.spooledBytes).toBe(0);
    // Holds were committed between the batches.
    const parts = store.batches.map(({ settlements, holds }) =>
      holds.length > 0 ? 'h' : settlements.length > 0 ? 's' : '',
    );
    expect(parts.join('')).toMatch(/sh+s/);
    // One batch may have been read before the first hold.
    const later = store.batches.slice(alone + 1);
    expect(Math.max(...later.map(({ settlements }) => settlements.length))).toBe(100);
    for (const { pending } of asked)
      ledger.settle(getSettlement(pending.request, { costNanoUsd: 0n }), pending);
    await ledger.flush();
    expect(await readStanding(db, owner)).toMatchObject({ spent: 5_000n, held: 0n });
  });

  it('is assumed for unexpected errors, without losing settlements', async () => {
    const owner = await createOwner(database.db);
    await using harness = createHarness(database.url);
    const { ledger, store } = harness;
    store.before = () => {
      throw new TypeError('a mistake in the store');
    };
    ledger.settle(requestRecord(owner), null);
    expect(await holdOn(ledger, holdRequest(owner)).outcome).toEqual({ ok: false, reason: 'unavailable' });
    store.before = () => undefined;
    await vi.waitFor(
      async () => expect((await readStanding(database.db, owner)).spent).toBe(1_000n),
      BACK_WITHIN,
    );
  });

  it('is not checked by a closed ledger; a check in progress ends first', async () => {
    const owner = await createOwner(database.db);
    const harness = createHarness(database.url);
    const { ledger, store } = harness;
    const asked = Promise.withResolvers<void>();
    let [isRefused, underWay] = [true, 0];
    store.before = async ({ settlements }) => {
      if (isRefused && settlements.length > 0) throw new Error('the database is down');
      if (settlements.length > 0) return;
      underWay += 1;
      asked.resolve();
      await sleep(300);
      underWay -= 1;
    };
    ledger.settle(requestRecord(owner), null);
    await asked.promise;
    isRefused = false;
    await harness[Symbol.asyncDispose]();
    expect(underWay).toBe(0);
  });

  it('leaves a valid ledger', async () => {
    expect(await findViolations(database.db)).toEqual([]);
  });
});

describe('a killed server', () => {
  it(
    'loses nothing that was answered, and takes everything when it runs again',
    { timeout: 90_000 },
    async () => {
      await using server = await startPostgres();
      const db = openDatabase(server.url);
      const owner = await createOwner(db, 1_000_000n);
      await using harness = createHarness(server.url);
      const { ledger } = harness;
      const settled: string[] = [];
      const ask = async () => {
        const { pending, outcome } = holdOn(ledger, holdRequest(owner, { chargesBalance: true }));
        const { ok } = await outcome;
        await sleep(Math.random() * 20);
        ledger.settle(
          getSettlement(pending.request, { costNanoUsd: ok ? 7n : 0n, status: ok ? 200 : 503 }),
          pending,
        );
        if (ok) settled.push(pending.request.id);
      };
      const traffic = async (requests: number) => {
        const running: Promise<void>[] = [];
        for (let i = 0; i < requests; i++) {
          running.push(ask());
          await sleep(1);
        }
        return running;
      };
      const before = await traffic(200);
      await server.kill();
      const during = await traffic(100);
      await Promise.all([...before, ...during]);
      expect(ledger.health.isWritable).toBe(false);
      await server.start();
      await vi.waitFor(() => expect(ledger.health).toMatchObject({ isWritable: true, spooledBytes: 0 }), {
        timeout: 30_000,
        interval: 50,
      });
      await Promise.all(await traffic(50));
      await ledger.flush();
      const { rows, spent, held, walletHeld } = await readStanding(db, owner);
      expect({ held, walletHeld }).toEqual({ held: 0n, walletHeld: 0n });
      const billed = new Set(rows.filter(({ costNanoUsd }) => costNanoUsd > 0n).map(({ id }) => id));
      expect(billed).toEqual(new Set(settled));
      expect(spent).toBe(BigInt(settled.length) * 7n);
      expect(await findViolations(db)).toEqual([]);
      process.stdout.write(
        `PostgreSQL killed and restarted: ${settled.length} of 350 answered, ${billed.size} billed, 0 lost, 0 twice\n`,
      );
      await db.close();
    },
  );
});
