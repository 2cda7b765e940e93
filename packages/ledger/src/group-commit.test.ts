import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { requests } from '@tollgate/db/schema/requests';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { holdRequest, requestRecord, getSettlement } from '@tollgate/testing/ledger-records';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HoldOutcome } from './pending-hold.ts';
import {
  createDirectory,
  createOwner,
  createHarness,
  findViolations,
  holdOn,
  readStanding,
} from './testing/ledger-harness.ts';
import { openCommits } from './testing/open-commits.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('pending work', () => {
  it('is one transaction, and one is in progress at a time', async () => {
    const { db } = database;
    const owner = await createOwner(db);
    await using harness = createHarness(database.url);
    const { ledger, store } = harness;
    const first = holdOn(ledger, holdRequest(owner));
    const gate = Promise.withResolvers<void>();
    store.before = () => gate.promise;
    await vi.waitFor(() => expect(store.batches).toHaveLength(1));
    const holds = Array.from({ length: 50 }, () => holdOn(ledger, holdRequest(owner)));
    for (let i = 0; i < 20; i++) ledger.settle(requestRecord(owner), null);
    await sleep(20);
    expect(store.batches).toHaveLength(1);
    gate.resolve();
    const outcomes = await Promise.all([first, ...holds].map(({ outcome }) => outcome));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(51);
    expect(store.batches.map(({ holds: of, settlements }) => [of.length, settlements.length])).toEqual([
      [1, 0],
      [50, 20],
    ]);
    expect(store.mostAtOnce).toBe(1);
    // Each row has the ID of the transaction that wrote it.
    const writers = await db.drizzle
      .select({ transaction: sql<string>`xmin::text`, rows: sql<number>`count(*)::integer` })
      .from(requests)
      .where(eq(requests.keyId, owner.keyId))
      .groupBy(sql`xmin::text`);
    expect(writers.map(({ rows }) => rows).toSorted((a, b) => a - b)).toEqual([1, 70]);
    for (const { pending } of [first, ...holds])
      ledger.settle(getSettlement(pending.request, { costNanoUsd: 1n }), pending);
    await ledger.flush();
    expect(await readStanding(db, owner)).toMatchObject({ spent: 20_051n, held: 0n });
  });

  it('is stored soon even if no request waits', async () => {
    const owner = await createOwner(database.db);
    await using harness = createHarness(database.url);
    harness.ledger.settle(requestRecord(owner), null);
    expect(harness.ledger.health.waiting).toBe(1);
    await vi.waitFor(async () => expect((await readStanding(database.db, owner)).spent).toBe(1_000n));
  });

  it('goes to disk above the memory limit, and is stored when the database catches up', async () => {
    const owner = await createOwner(database.db);
    await using harness = createHarness(database.url);
    const { ledger, store } = harness;
    const gate = Promise.withResolvers<void>();
    store.before = () => gate.promise;
    ledger.settle(requestRecord(owner), null);
    await vi.waitFor(() => expect(store.batches).toHaveLength(1));
    const [record, more] = [requestRecord(owner, { costNanoUsd: 1n }), 20_010];
    for (let at = 0; at < more; at++) ledger.settle({ ...record, id: `${record.id}${at}` }, null);
    expect(ledger.health).toMatchObject({ waiting: 20_000, isWritable: true });
    expect(ledger.health.spooledBytes).toBeGreaterThan(1_000);
    gate.resolve();
    await vi.waitFor(
      async () => expect((await readStanding(database.db, owner)).spent).toBe(1_000n + BigInt(more)),
      { timeout: 60_000, interval: 200 },
    );
    expect(ledger.health.spooledBytes).toBe(0);
  }, 90_000);

  it('is stored before the ledger closes, including holds', async () => {
    const owner = await createOwner(database.db);
    const harness = createHarness(database.url);
    const { outcome } = holdOn(harness.ledger, holdRequest(owner));
    harness.ledger.settle(requestRecord(owner), null);
    await harness[Symbol.asyncDispose]();
    expect(await outcome).toMatchObject({ ok: true });
    const { spent, held } = await readStanding(database.db, owner);
    expect({ spent, held }).toEqual({ spent: 1_000n, held: 1_000n });
    await settleHeld(owner);
  });

  it('goes to disk after the ledger closed', async () => {
    using directory = createDirectory();
    const owner = await createOwner(database.db);
    const { commits, close } = openCommits(database.url, directory.path);
    await close();
    const late = requestRecord(owner);
    commits.settle(late);
    expect(directory.read(/open/)).toContain(late.id);
  });

  /** Settles leftovers of a test, so that the ledger verification passes. */
  async function settleHeld(owner: { accountId: string; keyId: string }): Promise<void> {
    await using harness = createHarness(database.url);
    const { rows } = await readStanding(database.db, owner);
    for (const { id, startedAt } of rows.filter(({ state }) => state === 'held')) {
      const hold = holdRequest(owner, { id, startedAtMs: startedAt.getTime() });
      harness.ledger.settle(getSettlement(hold), {
        request: hold,
        state: 'done',
        onOutcome: () => undefined,
      });
    }
  }
});

describe('the outcome of a hold', () => {
  it('is never reported within the call', async () => {
    const owner = await createOwner(database.db);
    const harness = createHarness(database.url);
    const order: string[] = [];
    const ask = (name: string) =>
      harness.ledger.hold(holdRequest(owner, { wantNanoUsd: 0n }), ({ ok }) => order.push(`${name} ${ok}`));
    ask('open');
    order.push('asked');
    await harness[Symbol.asyncDispose]();
    ask('closed');
    order.push('asked');
    await sleep(0);
    expect(order).toEqual(['asked', 'open true', 'asked', 'closed false']);
  });

  it('is reported to all callbacks of a batch even if one throws', async () => {
    const owner = await createOwner(database.db);
    await using harness = createHarness(database.url);
    const failing = harness.ledger.hold(holdRequest(owner), () => {
      throw new Error('a listener that fails');
    });
    const other = holdOn(harness.ledger, holdRequest(owner));
    expect(await other.outcome).toMatchObject({ ok: true });
    for (const pending of [failing, other.pending])
      harness.ledger.settle(getSettlement(pending.request), pending);
    expect(harness.log.said('error')).toEqual(['the result of a hold could not be delivered']);
  });

  it('is not reported if the request ended before the hold was sent, and nothing is held', async () => {
    const owner = await createOwner(database.db, 5_000n);
    await using harness = createHarness(database.url);
    const { ledger, store } = harness;
    const heard: HoldOutcome[] = [];
    const request = holdRequest(owner, { chargesBalance: true });
    const pending = ledger.hold(request, (outcome) => heard.push(outcome));
    expect(ledger.totals.key(owner.keyId).pending).toBe(1_000n);
    ledger.settle(
      getSettlement(request, { costNanoUsd: 0n, status: 499, errorCode: 'client_gone' }),
      pending,
    );
    expect(ledger.totals.key(owner.keyId).pending).toBe(0n);
    expect(ledger.totals.balance(owner.accountId).pending).toBe(0n);
    await ledger.flush();
    expect(heard).toEqual([]);
    expect(store.batches.flatMap(({ holds }) => holds)).toEqual([]);
    expect(store.batches.flatMap(({ settlements }) => settlements.map(({ isHeld }) => isHeld))).toEqual([
      false,
    ]);
    const { rows, walletHeld } = await readStanding(database.db, owner);
    expect(rows).toMatchObject([{ state: 'settled', heldNanoUsd: 0n }]);
    expect(walletHeld).toBe(0n);
  });
});

describe('a row that cannot be stored', () => {
  /** Values that types do not allow, but that clients have sent. */
  const BAD: readonly [string, Partial<RequestRecord>][] = [
    ['a fraction of a token', { inputTokens: 1.5 }],
    ['more tokens than there are numbers', { outputTokens: 2 ** 40 }],
    ['a cost beyond all money', { costNanoUsd: 2n ** 70n }],
    ['a NUL in a name', { model: 'a\0b' }],
    ['a NUL in an error', { errorCode: 'not\0known' }],
    ['half a character in what was tried', { attempts: [attempt('\ud800')] }],
    ['a status that is no number', { status: Number.NaN }],
  ];

  it('does not affect other settlements, releases its hold, and is kept for inspection', async () => {
    const { db } = database;
    const owner = await createOwner(db);
    using directory = createDirectory();
    const { commits, close, log, store } = openCommits(database.url, directory.path);
    const holds = Array.from({ length: 500 }, () => holdRequest(owner, { wantNanoUsd: 2_000n }));
    await Promise.all(holds.map((hold) => new Promise((resolve) => commits.hold(hold, resolve))));
    holds.forEach((hold, at) => {
      const [, bad] = (at >= 250 ? BAD[at - 250] : undefined) ?? [];
      commits.settle(getSettlement(hold, bad));
    });
    await close();
    const { rows, spent, held } = await readStanding(db, owner);
    expect(held).toBe(0n);
    expect(rows.filter(({ state }) => state === 'settled')).toHaveLength(500);
    // The record with too high a cost is billed the amount of its hold.
    expect(spent).toBe(501_000n);
    const odd = new Set(holds.slice(250, 250 + BAD.length).map(({ id }) => id));
    for (const row of rows) expect(row.provider).toBe(odd.has(row.id) ? null : 'p');
    const kept = directory.read(/^rejected/);
    expect(kept.trimEnd().split('\n')).toHaveLength(BAD.length);
    for (const id of odd) expect(kept).toContain(id);
    expect(statSync(path.join(directory.path, 'rejected.ndjson')).mode & 0o777).toBe(0o600);
    expect(log.said('error')).toHaveLength(BAD.length);
    // After a rejection, each part may already be stored.
    const settled = store.batches.filter(({ settlements }) => settlements.length > 0);
    expect(settled.map(({ isRetry }) => isRetry)).toEqual(settled.map((_batch, at) => at > 0));
  });

  it('does not affect other holds and is reported', async () => {
    const owner = await createOwner(database.db);
    using directory = createDirectory();
    const { commits, close } = openCommits(database.url, directory.path);
    const bad = [{ inputTokens: 1.5 }, { model: 'a\0b' }, { wantNanoUsd: -1n }, { priceId: 2 ** 70 }];
    const holds = Array.from({ length: 500 }, (_, at) => holdRequest(owner, bad[at - 250]));
    const outcomes = await Promise.all(
      holds.map((hold) => new Promise<HoldOutcome>((resolve) => commits.hold(hold, resolve))),
    );
    const refused = outcomes.flatMap((outcome, at) => (outcome.ok ? [] : [[at, outcome.reason]]));
    expect(refused).toEqual(bad.map((_, at) => [250 + at, 'unstorable']));
    expect((await readStanding(database.db, owner)).held).toBe(496_000n);
    for (const hold of holds)
      commits.settle(getSettlement(hold, { costNanoUsd: 0n, model: 'm', inputTokens: 0, priceId: 1 }));
    await close();
    expect((await readStanding(database.db, owner)).held).toBe(0n);
  });

  it('does not result from caller or provider input', async () => {
    const owner = await createOwner(database.db);
    await using harness = createHarness(database.url);
    for (const [, bad] of BAD.slice(0, 4)) harness.ledger.settle(requestRecord(owner, bad), null);
    harness.ledger.settle(
      requestRecord(owner, { model: 'm'.repeat(1_000_000), inputTokens: Number.NaN }),
      null,
    );
    await harness.ledger.flush();
    const { rows } = await readStanding(database.db, owner);
    expect(rows).toHaveLength(5);
    expect(harness.store.batches).toHaveLength(1);
    expect(harness.log.said('error')).toEqual([]);
  });
});

describe('after these tests', () => {
  it('the ledger is valid', async () => {
    expect(await findViolations(database.db)).toEqual([]);
  });
});

function attempt(provider: string) {
  return { route: 'r', provider, upstreamModel: 'm', outcome: 'cut', status: null, durationMs: 3 };
}
