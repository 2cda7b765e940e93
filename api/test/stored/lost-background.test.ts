import { createSealer } from '@tollgate/auth/seal';
import { sealStored } from '@tollgate/auth/seal-response';
import { systemClock } from '@tollgate/core/runtime/clock';
import { startBackground } from '@tollgate/db/queries/responses/background-responses';
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
  const pace = { lookEveryMs: 20, silentForMs: 20_000 };
  await using lost = new LostRuns({ ...parts, runs, replicaId: 'rep_own', pace });
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
