import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, expect, it } from 'vitest';
import { listKeys } from './key-list.ts';

const database = await createTestDatabase();
afterAll(() => database[Symbol.asyncDispose]());

it('finds the keys that may call a model, by its ID, by a pattern, or because they may call all', async () => {
  const { db } = database;
  await db.sql`INSERT INTO models (id) VALUES ('big-one'), ('big-two'), ('"odd\\')`;
  const { accountId } = await createAccountFixture(db);
  for (const [name, allowedModels] of Object.entries({
    all: null,
    one: ['big-one'],
    two: ['big-two'],
    big: ['big-*'],
    odd: ['"*'],
  }))
    await createKeyFixture(db, accountId, { name, allowedModels });
  const find = async (model: string) => {
    const { keys } = await listKeys(db, {
      accountId,
      state: 'active',
      model,
      nowMs: Date.now(),
      timeZone: 'UTC',
      sort: 'name',
      isAscending: true,
      limit: 50,
    });
    return keys.map(({ name }) => name).toSorted();
  };
  expect(await find('big-one')).toEqual(['all', 'big', 'one']);
  expect(await find('big-two')).toEqual(['all', 'big', 'two']);
  expect(await find('"odd\\')).toEqual(['all', 'odd']);
  expect(await find('small')).toEqual(['all']);
});
