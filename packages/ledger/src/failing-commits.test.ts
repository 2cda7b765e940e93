import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Spool } from './spool.ts';
import { createDirectory, createOwner, findViolations, readStanding } from './testing/ledger-harness.ts';
import { openCommits } from './testing/open-commits.ts';

const BACK_WITHIN = { timeout: 10_000, interval: 20 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('settlements', () => {
  it('stay in memory above the limit if the disk takes none and the database is only slow', async () => {
    const owner = await createOwner(database.db);
    using directory = createDirectory();
    const { commits, close, log, store } = openCommits(database.url, directory.path, { maxSpoolBytes: 0 });
    const gate = Promise.withResolvers<void>();
    store.before = () => gate.promise;
    const [record, count] = [requestRecord(owner, { costNanoUsd: 1n }), 20_002];
    for (let at = 0; at < count; at++) commits.settle({ ...record, id: `${record.id}${at}` });
    expect(commits.waiting).toBe(count);
    gate.resolve();
    await close();
    expect(log.said('error')).toEqual([]);
    expect((await readStanding(database.db, owner)).spent).toBe(BigInt(count));
  }, 90_000);

  it('are flushed only when the transaction in progress ends', async () => {
    const owner = await createOwner(database.db);
    using directory = createDirectory();
    const { commits, close, store } = openCommits(database.url, directory.path);
    const gate = Promise.withResolvers<void>();
    store.before = () => gate.promise;
    commits.settle(requestRecord(owner));
    await vi.waitFor(() => expect(store.batches).toHaveLength(1));
    expect(commits.waiting).toBe(0);
    let isFlushed = false;
    const flushing = commits.flush().then(() => (isFlushed = true));
    await sleep(20);
    expect(isFlushed).toBe(false);
    gate.resolve();
    await flushing;
    expect((await readStanding(database.db, owner)).spent).toBe(1_000n);
    await close();
  });
});

describe('the spool', () => {
  it('is not sent to a database that just failed', async () => {
    const owner = await createOwner(database.db);
    using directory = createDirectory();
    const { commits, close, store, spool } = openCommits(database.url, directory.path);
    let isDown = true;
    store.before = () => {
      if (isDown) throw new Error('the database is down');
    };
    commits.settle(requestRecord(owner));
    await commits.flush();
    expect(commits.isInTrouble).toBe(true);
    expect(spool.hasSealed).toBe(false);
    // The batch and its one retry.
    const sent = store.batches.filter(({ settlements }) => settlements.length > 0);
    expect(sent.map(({ isRetry }) => isRetry)).toEqual([false, true]);
    isDown = false;
    await vi.waitFor(() => expect(spool.bytes).toBe(0), BACK_WITHIN);
    expect((await readStanding(database.db, owner)).spent).toBe(1_000n);
    await close();
  });

  it('waits for the next check, without a busy loop, if the database fails again meanwhile', async () => {
    const owner = await createOwner(database.db);
    using directory = createDirectory();
    const { commits, close, store, spool } = openCommits(database.url, directory.path);
    let sent = 0;
    store.before = ({ settlements }) => {
      if (settlements.length > 0) sent += 1;
      // The first commit and the first batch of the spool fail, each twice. Checks succeed.
      if (settlements.length > 0 && sent <= 4) throw new Error('the database is down');
    };
    // Ends a busy loop of microtasks, which no time limit of a test can interrupt.
    let looks = 0;
    vi.spyOn(spool, 'hasSealed', 'get').mockImplementation(() => {
      looks += 1;
      if (looks > 1_000) throw new Error('the group commit is in a busy loop');
      return Reflect.get(Spool.prototype, 'hasSealed', spool);
    });
    commits.settle(requestRecord(owner));
    await vi.waitFor(() => expect(sent).toBe(5), BACK_WITHIN);
    await vi.waitFor(() => expect(spool.bytes).toBe(0), BACK_WITHIN);
    expect(looks).toBeLessThan(100);
    expect((await readStanding(database.db, owner)).spent).toBe(1_000n);
    await close();
  });
});

describe('after these tests', () => {
  it('the ledger is valid', async () => {
    expect(await findViolations(database.db)).toEqual([]);
  });
});
