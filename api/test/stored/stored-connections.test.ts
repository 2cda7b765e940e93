import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, expect, it } from 'vitest';
import { NATIVE, startStoredHarness } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { createClient, createAccount, harness } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());

/** More than all connections of a replica. */
const MANY = 30;

it('keeps connections for other requests while the database is slow with stored responses', async () => {
  const { accountId, secret } = await createAccount(7);
  const { db } = harness.database;
  const { id } = await createClient(secret).responses.create({ model: NATIVE, input: 'Hello' });
  const { secret: unseen } = await createKeyFixture(db, accountId);
  const unlock = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const locking = db.sql.begin(async (tx) => {
    await tx`LOCK TABLE stored_responses IN ACCESS EXCLUSIVE MODE`;
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  const reads = Array.from({ length: MANY }, () => createClient(secret).responses.retrieve(id));
  const waiting = () => db.sql<{ n: string }[]>`
    SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await expect.poll(async () => Number((await waiting())[0]?.n)).toBeGreaterThan(2);
  try {
    const models = await createClient(unseen).models.list({ timeout: 5_000 });
    expect(models.data.length).toBeGreaterThan(0);
  } finally {
    unlock.resolve();
    await locking;
  }
  const found = await Promise.all(reads);
  expect(new Set(found.map((each) => each.id))).toEqual(new Set([id]));
});
