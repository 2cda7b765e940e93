import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { sealStored } from '@tollgate/auth/seal-response';
import { STORED_LIMITS } from '@tollgate/core/requests/stored-responses';
import { openDatabase, type Database } from '@tollgate/db/client';
import { keepStored } from '@tollgate/db/queries/retention/retention-setting';
import { insertResponse } from '@tollgate/db/queries/responses/stored-responses';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { longestTurn } from '@tollgate/testing/longest-turn';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { afterAll, expect, it } from 'vitest';
import { BodyBudget } from '../request-body/body-budget.ts';
import { BodyJobFailed, BodyWorkers } from '../request-body/worker/body-workers.ts';
import { ConversationStore } from '../conversations/conversation-store.ts';
import { LeftLocks } from '../conversations/left-locks.ts';
import { continueResponse } from './continue-response.ts';
import { ResponseStore } from './response-store.ts';
import { StoredTotals } from './stored-totals.ts';

const MIB = 1024 * 1024;
const database = await createTestDatabase();
const sealer = createSealer(randomBytes(32).toString('base64'));
const budget = new BodyBudget(512 * MIB);
const opened: Database[] = [];
afterAll(async () => {
  for (const db of opened) await db.close();
  await database[Symbol.asyncDispose]();
});

/** The store of another replica. */
function openStore(): ResponseStore {
  const clock = { nowMs: () => Date.now() };
  const log = { warn: () => undefined };
  const db = openDatabase(database.db.url, { maxConnections: 4, applicationName: 'test' });
  opened.push(db);
  return new ResponseStore({ db, totals: new StoredTotals(db), sealer, clock, log });
}

async function openAccount(): Promise<string> {
  const { accountId, user } = await createAccountFixture(database.db);
  const since = { actorUserId: user.id, retentionDays: 7, now: new Date(0) };
  await keepStored(database.db, 'responses', { accountId, ...since });
  return accountId;
}

/** Bytes that cannot be compressed. */
const createBytes = (size: number) => randomBytes(size);

async function insert(
  store: ResponseStore,
  { accountId, id = 'resp_1', input = createBytes(100), response = createBytes(100) }: Partial<Content>,
): Promise<boolean> {
  const account = accountId ?? '';
  return store.insert({
    accountId: account,
    id,
    startedAtMs: Date.now(),
    response,
    input: store.sealInput(account, id, input),
    inputSize: input.length,
    added: null,
    reservation: budget.open(account),
  });
}

interface Content {
  accountId: string;
  id: string;
  input: Buffer;
  response: Buffer;
}

it.each([
  [100, 100],
  [MIB, MIB],
  [2 * MIB - 29, 100],
  [3 * MIB, 2 * MIB + 1],
])('reads what it stored: %s and %s bytes', async (inputSize, responseSize) => {
  const accountId = await openAccount();
  const [input, response] = [createBytes(inputSize), createBytes(responseSize)];
  expect(await insert(openStore(), { accountId, input, response })).toBe(true);
  const other = openStore();
  expect((await other.read(accountId, 'resp_1', 'input'))?.equals(input)).toBe(true);
  expect((await other.read(accountId, 'resp_1', 'response'))?.equals(response)).toBe(true);
  expect(await other.findFacts(accountId, 'resp_1')).toEqual({ inputSize, responseSize, isRunning: false });
  expect(await other.read(await openAccount(), 'resp_1', 'input')).toBeNull();
});

it('stores several large responses on one connection after another', async () => {
  const accountId = await openAccount();
  const store = openStore();
  const ids = Array.from({ length: 9 }, (_, at) => `resp_${at}`);
  const inputs = ids.map(() => createBytes(MIB + 1));
  const inserting = ids.map((id, at) => insert(store, { accountId, id, input: inputs[at] ?? Buffer.of() }));
  expect(new Set(await Promise.all(inserting))).toEqual(new Set([true]));
  for (const [at, id] of ids.entries())
    expect((await store.read(accountId, id, 'input'))?.equals(inputs[at] ?? Buffer.of())).toBe(true);
});

it('does not block the event loop with a large conversation', async () => {
  const accountId = await openAccount();
  const input = createBytes(16 * MIB);
  // As much work as the driver has with a value of this size.
  const wholeMs = threadTimeMs(() => Buffer.from(input.toString('hex'), 'hex'));
  const writes: number[] = [];
  const reads: number[] = [];
  // The least of several: a turn may include a garbage collection of the test itself.
  for (const id of ['resp_1', 'resp_2', 'resp_3']) {
    const inserted = await longestTurn(async () => {
      const sealed = await sealStored(sealer, input, { accountId, id, part: 'input' });
      const row = { accountId, id, createdAt: new Date(), response: createBytes(100), input: sealed };
      return insertResponse(database.db, { ...row, responseSize: 100, inputSize: input.length });
    });
    const read = await longestTurn(() => openStore().read(accountId, id, 'input'));
    expect([inserted.result, read.result?.equals(input)]).toEqual([true, true]);
    writes.push(inserted.longestMs);
    reads.push(read.longestMs);
  }
  expect(Math.min(...writes)).toBeLessThan(wholeMs / 2);
  expect(Math.min(...reads)).toBeLessThan(wholeMs / 2);
}, 90_000);

it('stores nothing more for an account with as many bytes as it may have', async () => {
  const accountId = await openAccount();
  const store = openStore();
  expect(await insert(store, { accountId, id: 'resp_1' })).toBe(true);
  const { maxAccountBytes } = STORED_LIMITS;
  const setBytes = (bytes: number) =>
    database.db.sql`UPDATE stored_responses SET bytes = ${bytes} WHERE account_id = ${accountId}`;
  await setBytes(maxAccountBytes - 1);
  const full = openStore();
  expect(await insert(full, { accountId, id: 'resp_2' })).toBe(true);
  // Known without asking the database again.
  expect(await insert(full, { accountId, id: 'resp_3' })).toBe(false);
  await setBytes(maxAccountBytes);
  expect(await insert(openStore(), { accountId, id: 'resp_4' })).toBe(false);
  expect(await insert(openStore(), { accountId: await openAccount() })).toBe(true);
  expect(budget.usedBytes).toBe(0);
});

it('does not report an error of a thread as one of the database', async () => {
  const accountId = await openAccount();
  const store = openStore();
  expect(await insert(store, { accountId, input: createBytes(MIB) })).toBe(true);
  const program = new URL('data:text/javascript,throw new Error("broken")');
  const bodyWorkers = new BodyWorkers({ threads: 1, timeLimitMs: 30_000, maxHeapMib: 256, program });
  const errors: object[] = [];
  const note = (fields: object) => void errors.push(fields);
  const { db } = database;
  await using locks = new LeftLocks({ db, log: { warn: note } });
  const parts = { db, totals: new StoredTotals(db), sealer, clock: { nowMs: () => Date.now() } };
  const conversations = new ConversationStore({ ...parts, locks, replicaId: 'rep_1' });
  const reservation = budget.open(accountId);
  const continued = continueResponse(
    { stored: { responses: store, conversations }, bodyWorkers, log: { error: note, warn: note } },
    {
      key: { accountId, keepsResponses: true },
      spec: { endpoint: '/v1/responses' },
      exchange: { isDisconnected: false, requestId: 'req_1' },
      body: Buffer.from('{"input":"Go on","previous_response_id":"resp_1"}'),
      reservation,
    },
  );
  await expect(continued).rejects.toThrow(BodyJobFailed);
  expect(errors).toEqual([]);
  reservation.release();
  await bodyWorkers.close();
});
