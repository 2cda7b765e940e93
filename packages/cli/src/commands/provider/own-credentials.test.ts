import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

let database: TestDatabase;
let tollgate: Tollgate;
beforeAll(async () => {
  database = await createTestDatabase();
  tollgate = createTollgate({ DATABASE_URL: database.url });
});
afterAll(() => database[Symbol.asyncDispose]());

it('allows credentials of accounts, and lists the accounts without the values', async () => {
  const { id } = (await tollgate.json(
    'provider add --name many --dialect openai-chat --base-url http://127.0.0.1:9/v1 --api-key k',
  )) as { id: string };
  expect(await tollgate.json('provider own-credentials many')).toEqual({
    name: 'many',
    allowed: false,
    accounts: [],
  });
  expect((await tollgate('provider own-credentials many --allow on')).stdout).toContain('to many: yes');
  const { accountId } = await createAccountFixture(database.db);
  await database.db.sql`INSERT INTO own_credentials (account_id, provider_id, mode, credential_sealed)
    VALUES (${accountId}, ${id}, 'only', 'sealed-value')`;
  const listed = await tollgate.json('provider own-credentials many');
  expect(listed).toMatchObject({ allowed: true, accounts: [{ accountId, mode: 'only' }] });
  expect(JSON.stringify(listed)).not.toContain('sealed');
  expect(await tollgate.json('provider own-credentials many --allow off')).toMatchObject({ allowed: false });
});
