import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate account two-factor and tollgate settings', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('requires two-factor authentication for members, and makes it optional again', async () => {
    const { user, accountId } = await createAccountFixture(database.db);
    const set = (policy: string) => tollgate.json(`account two-factor ${policy} --email ${user.email}`);
    expect(await set('required')).toEqual({ accountId, required: true, changed: true, peopleWithout: 1 });
    expect(await set('required')).toMatchObject({ changed: false });
    expect(await set('optional')).toMatchObject({ required: false, changed: true });
    const audit = await database.db.sql`
      SELECT action FROM audit_log WHERE account_id = ${accountId} AND action LIKE 'account.two%' ORDER BY id`;
    expect(audit.map(({ action }) => action)).toEqual([
      'account.two_factor_required',
      'account.two_factor_optional',
    ]);
    expect((await tollgate(`account two-factor never --email ${user.email}`)).code).toBe(2);
  });

  it('requires it for operators, and lets locked-out operators in again', async () => {
    expect(await tollgate.json('settings set --operator-two-factor required')).toMatchObject({
      operatorTwoFactor: { required: true },
    });
    expect((await tollgate('settings show')).stdout).toContain('required');
    await tollgate.json('settings set --operator-two-factor optional');
    expect(await tollgate.json('settings show')).toEqual({
      operatorTwoFactor: { required: false, operatorsWithout: 0 },
    });
  });
});
