import { revokeKey } from '@tollgate/db/queries/keys/keys';
import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, expect, it } from 'vitest';
import { NATIVE } from '../native-provider.ts';
import { startStoredHarness } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { createClient, createAccount, harness, listSent } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());

/** More than all connections of a replica. */
const MANY = 30;

it('keeps connections for other requests while the database is slow with stored responses', async () => {
  const { accountId, secret } = await createAccount(7);
  const { db } = harness.database;
  const { id } = await createClient(secret).responses.create({ model: NATIVE, input: 'Hello' });
  const { secret: unseen } = await createKeyFixture(db, accountId);
  const lock = await lockStored();
  const reads = Array.from({ length: MANY }, () => createClient(secret).responses.retrieve(id));
  await expect.poll(countWaiting, { timeout: 10_000 }).toBeGreaterThan(2);
  try {
    const models = await createClient(unseen).models.list({ timeout: 5_000 });
    expect(models.data.length).toBeGreaterThan(0);
  } finally {
    await lock.release();
  }
  const found = await Promise.all(reads);
  expect(new Set(found.map((each) => each.id))).toEqual(new Set([id]));
});

it('refuses a key that was revoked while the conversation was read', async () => {
  const { accountId, secret } = await createAccount(7);
  const { id } = await createClient(secret).responses.create({ model: NATIVE, input: 'Hello' });
  const { key, secret: revoked } = await createKeyFixture(harness.database.db, accountId);
  const sent = listSent(NATIVE).length;
  const lock = await lockStored();
  const caller = createClient(revoked);
  const asked = getStatus(
    caller.responses.create({ model: NATIVE, input: 'Go on', previous_response_id: id }),
  );
  try {
    await expect.poll(countWaiting, { timeout: 10_000 }).toBe(1);
    await revokeKey(harness.database.db, { keyId: key.id, accountId: null, actorUserId: null });
    await expect.poll(() => getStatus(caller.models.list()), { timeout: 10_000 }).toBe(401);
  } finally {
    await lock.release();
  }
  expect(await asked).toBe(401);
  expect(listSent(NATIVE)).toHaveLength(sent);
});

function getStatus(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 200,
    ({ status }) => status as number,
  );
}

/** Blocks every query of stored responses. */
async function lockStored() {
  const unlock = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const locking = harness.database.db.sql.begin(async (tx) => {
    await tx`LOCK TABLE stored_responses IN ACCESS EXCLUSIVE MODE`;
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  return {
    async release() {
      unlock.resolve();
      await locking;
    },
  };
}

async function countWaiting(): Promise<number> {
  const [row] = await harness.database.db.sql<{ n: string }[]>`
    SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  return Number(row?.n);
}
