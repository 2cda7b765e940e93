import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate account stored-responses', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('sets the retention, and turns storing off', async () => {
    const { user, accountId } = await createAccountFixture(database.db);
    const set = (days: string) => tollgate.json(`account stored-responses ${days} --email ${user.email}`);
    expect(await set('30')).toEqual({ accountId, retentionDays: 30, deleted: 0 });
    const [row] = await database.db
      .sql`SELECT response_retention_days AS days FROM accounts WHERE id = ${accountId}`;
    expect(row).toEqual({ days: 30 });
    expect(await set('off')).toEqual({ accountId, retentionDays: null, deleted: 0 });
    expect((await tollgate(`account stored-responses 91 --email ${user.email}`)).code).toBe(2);
  });
});
