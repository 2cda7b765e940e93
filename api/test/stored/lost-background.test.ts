import { createSealer } from '@tollgate/auth/seal';
import { sealStored } from '@tollgate/auth/seal-response';
import { systemClock } from '@tollgate/core/runtime/clock';
import { startBackground } from '@tollgate/db/queries/responses/background-responses';
import { deleteStale } from '@tollgate/db/queries/retention/delete-stale';
import { stopKeepingStored } from '@tollgate/db/queries/retention/retention-setting';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { BackgroundRuns } from '../../src/background/background-runs.ts';
import { LostRuns } from '../../src/background/lost-runs.ts';
import { StoredTotals } from '../../src/stored/stored-totals.ts';
import { NATIVE } from '../native-provider.ts';
import { ENCRYPTION_KEY, startStoredHarness } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { createClient, createAccount, harness, native, apis } = gateway;
const { db } = harness.database;
afterAll(() => gateway[Symbol.asyncDispose]());

const sealer = createSealer(ENCRYPTION_KEY);
const parts = {
  db,
  sealer,
  totals: new StoredTotals(db),
  clock: systemClock,
  log: pino({ level: 'silent' }),
};

const PACE = { lookEveryMs: 20, silentForMs: 20_000 };

/** A response as a process leaves it that is killed. */
async function leaveRunning(accountId: string, id: string, replicaId: string): Promise<void> {
  const bytes = Buffer.from(
    JSON.stringify({ id, object: 'response', status: 'in_progress', background: true, output: [] }),
  );
  const place = { accountId, id };
  const response = await sealStored(sealer, bytes, { ...place, part: 'response' });
  const input = await sealStored(sealer, Buffer.from('[]'), { ...place, part: 'input' });
  const sizes = { responseSize: bytes.length, inputSize: 2 };
  await startBackground(db, { ...place, createdAt: new Date(), response, input, ...sizes }, replicaId);
}

it('ends responses of stale replicas, and its own that it does not run', async () => {
  const { accountId, secret } = await createAccount(7);
  const caller = createClient(secret);
  native.hold();
  const { id: running } = await caller.responses.create({ model: NATIVE, input: 'Hi', background: true });
  await leaveRunning(accountId, 'resp_lost', 'rep_gone');
  await leaveRunning(accountId, 'resp_own', 'rep_own');
  const alive = apis[1].deps.ledger.replicaId;
  await leaveRunning(accountId, 'resp_alive', alive);
  const runs = new BackgroundRuns({ ...parts, replicaId: 'rep_own' });
  await using lost = new LostRuns({ ...parts, runs, replicaId: 'rep_own', pace: PACE });
  lost.start();
  for (const id of ['resp_lost', 'resp_own'])
    await expect
      .poll(() => caller.responses.retrieve(id))
      .toMatchObject({ id, status: 'failed', error: { code: 'server_error' } });
  for (const id of [running, 'resp_alive'])
    expect((await caller.responses.retrieve(id)).status).toBe('in_progress');
  native.release();
  await expect.poll(async () => (await caller.responses.retrieve(running)).status).toBe('completed');
});

it('ends the other responses if one of them cannot be decrypted', async () => {
  const { accountId, secret } = await createAccount(7);
  const caller = createClient(secret);
  await leaveRunning(accountId, 'resp_1', 'rep_gone');
  await db.sql`UPDATE background_responses SET started_at = to_timestamp(0) WHERE response_id = 'resp_1'`;
  await db.sql`UPDATE stored_responses SET response_sealed = 'broken' WHERE id = 'resp_1'`;
  await leaveRunning(accountId, 'resp_2', 'rep_gone');
  const runs = new BackgroundRuns({ ...parts, replicaId: 'rep_own' });
  await using lost = new LostRuns({ ...parts, runs, replicaId: 'rep_own', pace: PACE });
  lost.start();
  for (const id of ['resp_1', 'resp_2'])
    await expect
      .poll(() => caller.responses.retrieve(id).catch(() => null))
      .toMatchObject({ id, status: 'failed' });
});

it('leaves responses that its replica runs, and stops them once they are not stored any more', async () => {
  const { accountId, secret, userId } = await createAccount(7);
  const caller = createClient(secret);
  native.hold();
  native.seen.length = 0;
  native.abandonedAtMs.length = 0;
  const { id } = await caller.responses.create({ model: NATIVE, input: 'Hi', background: true });
  await expect.poll(() => native.seen.length).toBe(1);
  const { ledger, stored } = apis[0].deps;
  const { replicaId } = ledger;
  await using lost = new LostRuns({ ...parts, runs: stored.background, replicaId, pace: PACE });
  lost.start();
  await new Promise((resolve) => setTimeout(resolve, 10 * PACE.lookEveryMs));
  expect((await caller.responses.retrieve(id)).status).toBe('in_progress');
  expect(stored.background.size).toBe(1);
  await stopKeepingStored(db, 'responses', { accountId, actorUserId: userId });
  await deleteStale(db, 'responses', { accountId, now: new Date() });
  await expect.poll(() => native.abandonedAtMs).toHaveLength(1);
  expect(stored.background.size).toBe(0);
  native.release();
});

it('stores the end of a response once the database takes it', async () => {
  const { secret } = await createAccount(7);
  const caller = createClient(secret);
  native.hold();
  const { id } = await caller.responses.create({ model: NATIVE, input: 'Hi', background: true });
  await db.sql`ALTER TABLE stored_responses ADD CONSTRAINT broken CHECK (response_size < 0) NOT VALID`;
  try {
    native.release();
    await expect.poll(async () => (await caller.responses.retrieve(id)).status).toBe('in_progress');
    await new Promise((resolve) => setTimeout(resolve, 300));
  } finally {
    await db.sql`ALTER TABLE stored_responses DROP CONSTRAINT broken`;
  }
  await expect
    .poll(async () => (await caller.responses.retrieve(id)).status, { timeout: 5_000 })
    .toBe('completed');
});
