import { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { holdRequest, requestRecord, getSettlement } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Ledger } from './ledger.ts';
import { journalFileName } from './record-files.ts';
import { decodeRecord } from './spooled-record.ts';
import { createOwner, createHarness, readStanding, type LedgerHarness } from './testing/ledger-harness.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Longer than the journal's delays before it writes again and before it empties its file. */
const SETTLED_MS = 1_300;

/** A ledger whose transactions wait until the gate is resolved. */
async function startWithClosedGate({ ledger, store }: LedgerHarness) {
  const owner = await createOwner(database.db);
  await ledger.start();
  const gate = Promise.withResolvers<void>();
  store.before = () => gate.promise;
  return { owner, gate };
}

/** A stream with a first checkpoint, alone in a full journal file; the disk has no space for another file. */
async function fillDisk(harness: LedgerHarness) {
  const { ledger, directory } = harness;
  const { owner, gate } = await startWithClosedGate(harness);
  const stream = requestRecord(owner, { outputTokens: 1, costNanoUsd: 100n, errorCode: 'replica_lost' });
  const first = ledger.checkpoint(stream, null, null);
  const next = Array.from({ length: 20 }, (_, at) => journalFileName(ledger.replicaId, process.pid, at + 2));
  for (const name of next) symlinkSync('/dev/full', path.join(directory.path, name));
  await untilKept(ledger, first);
  for (let at = 0; at < 1_000 && ledger.health.isJournalWritable; at++) {
    const settled = ledger.settle(requestRecord(owner, { rawUsage: 'u'.repeat(8_000) }), null);
    await untilKept(ledger, settled);
  }
  expect(ledger.health.isJournalWritable).toBe(false);
  gate.resolve();
  await ledger.flush();
  const freeDisk = () => next.forEach((name) => rmSync(path.join(directory.path, name), { force: true }));
  return { owner, stream, first, freeDisk };
}

/** What is settled after a crash now: the last journal line of the request; null: none. */
function lastKept(harness: LedgerHarness, { id }: Pick<RequestRecord, 'id'>): RequestRecord | null {
  const lines = getJournals(harness).flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const own = lines.filter((line) => line.includes(id)).map(decodeRecord);
  return own.at(-1) ?? null;
}

const tokensKept = (harness: LedgerHarness, record: RequestRecord): number | null =>
  lastKept(harness, record)?.outputTokens ?? null;

const untilKept = (ledger: Ledger, record: RequestRecord) =>
  new Promise<void>((resolve) => ledger.whenKept(record, resolve));

const sleepOver = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS));

it('a checkpoint that cannot be written leaves the previous one until a later one is written', async () => {
  await using harness = createHarness(database.url);
  const { ledger } = harness;
  const { stream, first, freeDisk } = await fillDisk(harness);
  const second = ledger.checkpoint({ ...stream, outputTokens: 2 }, null, first);
  const third = ledger.checkpoint({ ...stream, outputTokens: 3 }, null, second);
  await sleepOver();
  expect(tokensKept(harness, stream)).toBe(1);
  freeDisk();
  const fourth = ledger.checkpoint({ ...stream, outputTokens: 4 }, null, third);
  await untilKept(ledger, fourth);
  expect(ledger.health.isJournalWritable).toBe(true);
  expect(tokensKept(harness, stream)).toBe(4);
  // The full file contained nothing else.
  await vi.waitFor(() => expect(getJournals(harness)).toHaveLength(1));
  ledger.settle({ ...stream, outputTokens: 5, errorCode: null }, null, fourth);
  await ledger.flush();
  await vi.waitFor(() => expect(tokensKept(harness, stream)).toBeNull(), { timeout: 5_000 });
});

it('a settlement that cannot be written leaves the checkpoint until the database has the settlement', async () => {
  await using harness = createHarness(database.url);
  const { ledger, store } = harness;
  const { owner, stream, first } = await fillDisk(harness);
  const gate = Promise.withResolvers<void>();
  store.before = () => gate.promise;
  ledger.settle({ ...stream, outputTokens: 9, costNanoUsd: 900n, errorCode: null }, null, first);
  await sleepOver();
  expect(tokensKept(harness, stream)).toBe(1);
  gate.resolve();
  await ledger.flush();
  const { rows } = await readStanding(database.db, owner);
  expect(rows.find(({ id }) => id === stream.id)).toMatchObject({ outputTokens: 9, costNanoUsd: 900n });
  await vi.waitFor(() => expect(tokensKept(harness, stream)).toBeNull(), { timeout: 5_000 });
});

it('a settlement without cost replaces a checkpoint with cost', async () => {
  await using harness = createHarness(database.url);
  const { ledger, store } = harness;
  const gate = Promise.withResolvers<void>();
  store.before = () => gate.promise;
  const owner = await createOwner(database.db);
  const stream = requestRecord(owner, { outputTokens: 1, errorCode: 'replica_lost' });
  const first = ledger.checkpoint(stream, null, null);
  await untilKept(ledger, first);
  expect(tokensKept(harness, stream)).toBe(1);
  ledger.settle({ ...stream, costNanoUsd: 0n, errorCode: 'upstream_error' }, null, first);
  await vi.waitFor(() => expect(tokensKept(harness, stream)).toBeNull(), { timeout: 5_000 });
  gate.resolve();
});

it.each<[string, Partial<RequestRecord>]>([
  ['cost', { costNanoUsd: 2n }],
  ['unbilled cost', { operatorCostNanoUsd: 2n }],
  ['input tokens', { inputTokens: 2 }],
  ['output tokens', { outputTokens: 2 }],
  ['estimate mark', { estimated: true }],
  ['status', { status: 499 }],
  ['error code', { errorCode: 'client_gone' }],
])('a settlement with another %s than its checkpoint replaces it in the journal', async (_name, other) => {
  await using harness = createHarness(database.url);
  const { ledger, store } = harness;
  const gate = Promise.withResolvers<void>();
  store.before = () => gate.promise;
  const owner = await createOwner(database.db);
  const ended = { costNanoUsd: 1n, inputTokens: 1, outputTokens: 1, estimated: false, status: 200 };
  const record = requestRecord(owner, { ...ended, operatorCostNanoUsd: 1n, errorCode: null });
  const checkpoint = ledger.checkpoint(record, null, null);
  await untilKept(ledger, checkpoint);
  const settled = ledger.settle({ ...record, ...other }, null, checkpoint);
  await untilKept(ledger, settled);
  const lines = getJournals(harness).flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const last = lines.findLast((line) => line.includes(record.id));
  expect(decodeRecord(last ?? '')).toMatchObject(other);
  gate.resolve();
});

/** Skips the always-full device, because reading it never ends. */
function getJournals({ directory }: LedgerHarness): string[] {
  return readdirSync(directory.path)
    .filter((name) => name.endsWith('.journal'))
    .map((name) => path.join(directory.path, name))
    .filter((file) => lstatSync(file).isFile())
    .toSorted();
}

it('a settlement without the hold of its checkpoint replaces the checkpoint', async () => {
  await using harness = createHarness(database.url);
  const { ledger, store } = harness;
  const { owner, gate } = await startWithClosedGate(harness);
  ledger.settle(requestRecord(owner), null);
  await vi.waitFor(() => expect(store.batches).toHaveLength(1));
  const hold = ledger.hold(holdRequest(owner), () => {});
  const record = getSettlement(hold.request, { costNanoUsd: 1n });
  const checkpoint = ledger.checkpoint(record, hold, null);
  await untilKept(ledger, checkpoint);
  expect(lastKept(harness, record)).toMatchObject({ isHeld: true });
  await untilKept(ledger, ledger.settle(record, hold, checkpoint));
  // After a crash, nothing may be released that was never held.
  expect(lastKept(harness, record)).toMatchObject({ isHeld: false });
  gate.resolve();
  await ledger.flush();
});

it('a settlement with other reported usage replaces its checkpoint, even at the same cost', async () => {
  await using harness = createHarness(database.url);
  const { ledger } = harness;
  const { owner, gate } = await startWithClosedGate(harness);
  const record = requestRecord(owner, { costNanoUsd: 0n, rawUsage: '{"cached":1}' });
  const checkpoint = ledger.checkpoint(record, null, null);
  await untilKept(ledger, checkpoint);
  await untilKept(ledger, ledger.settle({ ...record, rawUsage: '{"cached":2}' }, null, checkpoint));
  expect(lastKept(harness, record)).toMatchObject({ rawUsage: '{"cached":2}' });
  gate.resolve();
  await ledger.flush();
});
