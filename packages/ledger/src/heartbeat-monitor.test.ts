import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerStoreError } from '@tollgate/core/money/ledger';
import { replicas } from '@tollgate/db/schema/ledger';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { holdRequest, getSettlement } from '@tollgate/testing/ledger-records';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encodeRecord } from './spooled-record.ts';
import {
  createDirectory,
  createOwner,
  createHarness,
  findViolations,
  holdOn,
  readStanding,
} from './testing/ledger-harness.ts';
import { createFaultyProxy } from '@tollgate/testing/faulty-proxy';

/** Faster than in production: a replica is stale after a few missed heartbeats. */
const WATCH = { beatMs: 100, deadAfterMs: 1_000 };
/** For tests that depend on heartbeat order: a loaded machine is late by some tenths of a second. */
const CALM_WATCH = { beatMs: 250, deadAfterMs: 1_200 };
const SOON = { timeout: 10_000, interval: 20 };

describe('heartbeat monitors', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const open = async (url = database.url, { watch = WATCH, directory = createDirectory() } = {}) => {
    const harness = createHarness(url, { watch, directory });
    await harness.ledger.start();
    return harness;
  };
  const isKnown = async (replicaId: string) => {
    const rows = await database.db.drizzle.select().from(replicas).where(eq(replicas.id, replicaId));
    return rows.length === 1;
  };

  it('settle orphaned holds by estimate, and then the actual cost once', async () => {
    const { db } = database;
    const owner = await createOwner(db, 10_000n);
    await using proxy = await createFaultyProxy(database.url);
    await using living = await open();
    await using dying = await open(proxy.url);
    const request = holdRequest(owner, { chargesBalance: true, wantNanoUsd: 3_000n, inputCostNanoUsd: 200n });
    const { pending, outcome } = holdOn(dying.ledger, request);
    expect(await outcome).toMatchObject({ ok: true });
    const other = holdOn(living.ledger, holdRequest(owner, { chargesBalance: true }));
    await other.outcome;
    const diedAtMs = performance.now();
    proxy.cut();
    await vi.waitFor(
      async () => expect(await readStanding(db, owner)).toMatchObject({ spent: 200n, held: 1_000n }),
      SOON,
    );
    const foundAfterMs = performance.now() - diedAtMs;
    expect(foundAfterMs).toBeGreaterThan(WATCH.deadAfterMs - 2 * WATCH.beatMs);
    const { rows, available, walletHeld } = await readStanding(db, owner);
    expect({ available, walletHeld }).toEqual({ available: 9_800n, walletHeld: 1_000n });
    expect(rows.find(({ id }) => id === request.id)).toMatchObject({
      state: 'settled',
      status: 499,
      errorCode: 'replica_lost',
      estimated: true,
      recovered: true,
    });
    // The replica was only disconnected and knows the outcome of its request.
    dying.ledger.settle(getSettlement(request, { costNanoUsd: 2_500n }), pending);
    proxy.mend();
    await vi.waitFor(
      async () => expect(await readStanding(db, owner)).toMatchObject({ spent: 2_500n }),
      SOON,
    );
    living.ledger.settle(getSettlement(other.pending.request, { costNanoUsd: 0n }), other.pending);
    await living.ledger.flush();
    const after = await readStanding(db, owner);
    expect(after).toMatchObject({ spent: 2_500n, held: 0n, available: 7_500n, walletHeld: 0n });
    expect(after.rows.find(({ id }) => id === request.id)).toMatchObject({ status: 200, recovered: false });
    await vi.waitFor(async () => expect(await isKnown(dying.ledger.replicaId)).toBe(true), SOON);
  });

  it('bill a late settlement only up to the remaining funds', async () => {
    const { db } = database;
    const owner = await createOwner(db, 3_000n);
    await using proxy = await createFaultyProxy(database.url);
    await using living = await open();
    await using dying = await open(proxy.url);
    const request = holdRequest(owner, { chargesBalance: true, wantNanoUsd: 3_000n, inputCostNanoUsd: 200n });
    const { pending, outcome } = holdOn(dying.ledger, request);
    await outcome;
    proxy.cut();
    await vi.waitFor(
      async () => expect(await readStanding(db, owner)).toMatchObject({ spent: 200n, held: 0n }),
      SOON,
    );
    const next = holdOn(living.ledger, holdRequest(owner, { chargesBalance: true, wantNanoUsd: 2_000n }));
    expect(await next.outcome).toMatchObject({ ok: true });
    dying.ledger.settle(getSettlement(request, { costNanoUsd: 2_900n }), pending);
    proxy.mend();
    await vi.waitFor(
      async () => expect(await readStanding(db, owner)).toMatchObject({ spent: 1_000n }),
      SOON,
    );
    living.ledger.settle(getSettlement(next.pending.request, { costNanoUsd: 2_000n }), next.pending);
    await living.ledger.flush();
    const { rows, available } = await readStanding(db, owner);
    expect(available).toBe(0n);
    expect(rows.find(({ id }) => id === request.id)).toMatchObject({
      costNanoUsd: 1_000n,
      operatorCostNanoUsd: 1_900n,
    });
  });

  it('treat no replica as stale after a long database outage', async () => {
    const { db } = database;
    const owner = await createOwner(db);
    await using proxy = await createFaultyProxy(database.url);
    await using first = await open(proxy.url, { watch: CALM_WATCH });
    await using second = await open(proxy.url, { watch: CALM_WATCH });
    const holds = [first, second].map(({ ledger }) => holdOn(ledger, holdRequest(owner)));
    await Promise.all(holds.map(({ outcome }) => outcome));
    proxy.cut();
    await sleep(2 * CALM_WATCH.deadAfterMs);
    proxy.mend();
    await sleep(1.5 * CALM_WATCH.deadAfterMs);
    const { held, rows } = await readStanding(db, owner);
    expect(held).toBe(2_000n);
    expect(rows.every(({ state }) => state === 'held')).toBe(true);
    for (const [at, { ledger }] of [first, second].entries()) {
      const pending = holds[at]?.pending;
      if (pending !== undefined) ledger.settle(getSettlement(pending.request), pending);
    }
  });

  it('treat no replica as stale after all were frozen', async () => {
    const { db } = database;
    const owner = await createOwner(db);
    await using first = await open(database.url, { watch: CALM_WATCH });
    await using second = await open(database.url, { watch: CALM_WATCH });
    const { pending, outcome } = holdOn(second.ledger, holdRequest(owner));
    await outcome;
    await sleep(4 * CALM_WATCH.beatMs);
    // Simulate a slower machine: its next heartbeat is late after the thaw.
    second.store.beforeBeat = () => sleep(0.4 * CALM_WATCH.beatMs);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * CALM_WATCH.deadAfterMs);
    await sleep(WATCH.deadAfterMs);
    expect((await readStanding(db, owner)).held).toBe(1_000n);
    expect(first.log.said('warn')).toEqual([]);
    second.ledger.settle(getSettlement(pending.request), pending);
  });

  it('treat a replica with new holds as live before its next heartbeat', async () => {
    const { db } = database;
    const owner = await createOwner(db);
    await using living = await open();
    // It sends no heartbeats, only holds.
    await using returning = createHarness(database.url);
    const { pending, outcome } = holdOn(returning.ledger, holdRequest(owner));
    await outcome;
    expect(await isKnown(returning.ledger.replicaId)).toBe(true);
    await sleep(WATCH.deadAfterMs / 2);
    expect((await readStanding(db, owner)).held).toBe(1_000n);
    returning.ledger.settle(getSettlement(pending.request), pending);
    await returning.ledger.flush();
    expect(living.log.said('warn')).toEqual([]);
  });

  it('store the files of a killed replica once, even if found repeatedly', async () => {
    const { db } = database;
    const owner = await createOwner(db, 5_000n);
    const directory = createDirectory();
    await using killed = createHarness(database.url);
    const { pending, outcome } = holdOn(killed.ledger, holdRequest(owner, { chargesBalance: true }));
    await outcome;
    const truth = encodeRecord(getSettlement(pending.request, { costNanoUsd: 640n }));
    const leave = (name: string) => writeFileSync(path.join(directory.path, name), `${truth}\n`);
    leave(`${killed.ledger.replicaId}.4194303.open.ndjson`);
    await db.drizzle
      .update(replicas)
      .set({ heartbeatAt: new Date(0) })
      .where(eq(replicas.id, killed.ledger.replicaId));
    await using heir = await open(database.url, { directory });
    await vi.waitFor(
      async () => expect(await readStanding(db, owner)).toMatchObject({ spent: 640n, held: 0n }),
      SOON,
    );
    leave(`${killed.ledger.replicaId}-2.4194303.sealed.ndjson`);
    leave('rep_unheard_of.4194303.open.ndjson');
    await vi.waitFor(() => expect(directory.read(/ndjson/)).toBe(''), SOON);
    const { spent, available, rows } = await readStanding(db, owner);
    expect({ spent, available, rows: rows.length }).toEqual({ spent: 640n, available: 4_360n, rows: 1 });
    expect(heir.log.said('error')).toEqual([]);
    await vi.waitFor(async () => expect(await isKnown(killed.ledger.replicaId)).toBe(false), SOON);
  });

  it('grant nothing twice to a retried batch whose hold was settled as orphaned', async () => {
    const owner = await createOwner(database.db, 5_000n);
    await using harness = createHarness(database.url);
    const { store, ledger } = harness;
    const hold = holdRequest(owner, { chargesBalance: true });
    const batch = { replicaId: ledger.replicaId, settlements: [], holds: [hold], isRetry: false };
    await store.commit(batch);
    const lost = { ...getSettlement(hold, { costNanoUsd: 100n }), recovered: true };
    await store.commit({ ...batch, replicaId: 'rep_living', settlements: [lost], holds: [] });
    const { verdicts } = await store.commit({ ...batch, isRetry: true });
    expect(verdicts).toEqual([{ ok: false, reason: 'reserved', leftNanoUsd: 0n }]);
    expect(await readStanding(database.db, owner)).toMatchObject({
      spent: 100n,
      held: 0n,
      available: 4_900n,
    });
  });

  it('do not start without a database', async () => {
    await using proxy = await createFaultyProxy(database.url);
    proxy.cut();
    await using harness = createHarness(proxy.url, { watch: WATCH });
    await expect(harness.ledger.start()).rejects.toBeInstanceOf(LedgerStoreError);
  });

  it('forget replicas after a clean shutdown', async () => {
    const leaving = await open();
    const { replicaId } = leaving.ledger;
    expect(await isKnown(replicaId)).toBe(true);
    await leaving[Symbol.asyncDispose]();
    expect(await isKnown(replicaId)).toBe(false);
  });

  it('can shut down during a database outage', async () => {
    await using proxy = await createFaultyProxy(database.url);
    const leaving = await open(proxy.url);
    proxy.cut();
    await leaving[Symbol.asyncDispose]();
    expect(leaving.log.said('warn')).toContain('the replica could not say that it goes');
    const { replicaId } = leaving.ledger;
    await database.db.drizzle.delete(replicas).where(eq(replicas.id, replicaId));
  });

  it('leave a valid ledger', async () => {
    expect(await findViolations(database.db)).toEqual([]);
  });
});
