import { deleteStale } from '@tollgate/db/queries/retention/delete-stale';
import { stopKeepingStored } from '@tollgate/db/queries/retention/retention-setting';
import { erasePerson } from '@tollgate/db/queries/users/delete-person';
import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, expect, it } from 'vitest';
import { NATIVE } from '../native-provider.ts';
import { createResponse, readFlags, startStoredHarness } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { createClient, createAccount, harness } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());

it('encrypts what it stores', async () => {
  const { accountId, secret } = await createAccount(7);
  await createClient(secret).responses.create({ model: NATIVE, input: 'Plainly visible' });
  const [row] = await harness.database.db.sql<{ input: Buffer; response: Buffer }[]>`
    SELECT input_sealed AS input, response_sealed AS response FROM stored_responses WHERE account_id = ${accountId}`;
  expect(row?.input.includes('visible')).toBe(false);
  expect(row?.response.includes('Done')).toBe(false);
});

it('hides and deletes responses after their retention, and all when storing is turned off', async () => {
  const { accountId, secret, userId } = await createAccount(7);
  const { db } = harness.database;
  const caller = createClient(secret);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await caller.responses.create({ model: NATIVE, input: 'Hello' })).id);
  const [old = '', young = ''] = ids;
  await db.sql`UPDATE stored_responses SET created_at = now() - interval '8 days' WHERE id = ${old}`;
  await expect(caller.responses.retrieve(old)).rejects.toMatchObject({ status: 404 });
  await expect(caller.responses.delete(old)).rejects.toMatchObject({ status: 404 });
  expect((await caller.responses.retrieve(young)).id).toBe(young);
  await db.sql`UPDATE stored_responses SET created_at = now() - interval '8 days' WHERE id = ${young}`;
  expect(await deleteStale(db, 'responses', { accountId, now: new Date() })).toBe(1);
  await stopKeepingStored(db, 'responses', { accountId, actorUserId: userId });
  await expect
    .poll(() =>
      caller.responses.retrieve(ids[2] ?? '').then(
        () => 200,
        ({ status }) => status as number,
      ),
    )
    .toBe(404);
  expect(await deleteStale(db, 'responses', { accountId, now: new Date() })).toBe(1);
  expect(await countRows(accountId)).toBe(0);
});

it('says that a response is not stored while the database does not take it', async () => {
  const { secret } = await createAccount(7);
  const { sql } = harness.database.db;
  await sql`ALTER TABLE stored_responses ADD CONSTRAINT broken CHECK (bytes < 0) NOT VALID`;
  try {
    for (const isStream of [false, true]) {
      const given = await createResponse(createClient(secret), { model: NATIVE, input: 'Hello' }, isStream);
      expect(readFlags(given).store).toBe(false);
      expect(given.status).toBe('completed');
    }
  } finally {
    await sql`ALTER TABLE stored_responses DROP CONSTRAINT broken`;
  }
});

it('gives a revoked key nothing, and another key of the account everything', async () => {
  const { accountId, secret } = await createAccount(7);
  const { db } = harness.database;
  const { id } = await createClient(secret).responses.create({ model: NATIVE, input: 'Hello' });
  const { key, secret: second } = await createKeyFixture(db, accountId);
  expect((await createClient(second).responses.retrieve(id)).id).toBe(id);
  await db.sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${key.id}`;
  await expect
    .poll(() =>
      createClient(second)
        .responses.retrieve(id)
        .then(
          () => 200,
          ({ status }) => status as number,
        ),
    )
    .toBe(401);
  expect((await createClient(secret).responses.retrieve(id)).id).toBe(id);
});

it('deletes all responses with the person who owns the account', async () => {
  const { accountId, secret, userId } = await createAccount(7);
  const { db } = harness.database;
  await createClient(secret).responses.create({ model: NATIVE, input: 'Hello' });
  const [user] = await db.sql<{ email: string }[]>`SELECT email FROM users WHERE id = ${userId}`;
  await erasePerson(db, { userId, email: user?.email ?? '', accountIds: [accountId], at: new Date() });
  expect(await countRows(accountId)).toBe(0);
});

async function countRows(accountId: string): Promise<number> {
  const rows = await harness.database.db.sql`SELECT 1 FROM stored_responses WHERE account_id = ${accountId}`;
  return rows.length;
}
