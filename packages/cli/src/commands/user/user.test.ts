import { randomBytes } from 'node:crypto';
import { findUserByEmail } from '@tollgate/db/queries/users/users';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate user', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('verifies an email once, with the credit of the plan', async () => {
    const { sql } = database.db;
    const { user, accountId } = await createAccountFixture(database.db, { verified: false, planId: 'free' });
    expect(await tollgate.json(`user verify-email ${user.email}`)).toEqual({
      userId: user.id,
      email: user.email,
      emailVerifiedAt: expect.any(String),
    });
    expect((await findUserByEmail(database.db, user.email))?.emailVerifiedAt).not.toBeNull();
    const credit = () => sql`SELECT kind FROM ledger_entries WHERE account_id = ${accountId}`;
    expect([...(await credit())]).toEqual([{ kind: 'credit' }]);
    const again = await tollgate(`user verify-email ${user.email}`);
    expect(again.stdout).toContain('was already verified');
    expect(await credit()).toHaveLength(1);
    const audit = await sql`SELECT action, actor_user_id AS actor FROM audit_log WHERE subject = ${user.id}`;
    expect([...audit]).toEqual([{ action: 'user.email_verified', actor: null }]);
  });

  it.each([
    ['', false],
    [' --keep-password', true],
  ])(
    'removes the password that was set before verification, unless --keep-password is set (%s)',
    async (flag, kept) => {
      const { user } = await createAccountFixture(database.db, { verified: false });
      const before = await findUserByEmail(database.db, user.email);
      const { stdout } = await tollgate(`user verify-email ${user.email}${flag}`);
      const after = await findUserByEmail(database.db, user.email);
      expect(after?.emailVerifiedAt).not.toBeNull();
      expect(after?.passwordHash === before?.passwordHash).toBe(kept);
      expect(stdout.includes('Forgot password?')).toBe(!kept);
    },
  );

  it('removes the second factor and passkeys, ends sessions, and notifies the user', async () => {
    const { sql } = database.db;
    const { user } = await createAccountFixture(database.db);
    await sql`INSERT INTO totp_secrets (user_id, secret_sealed, confirmed_at) VALUES (${user.id}, 'x', now())`;
    await sql`INSERT INTO recovery_codes (user_id, code_hash) VALUES (${user.id}, ${randomBytes(32)})`;
    await sql`
      INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name)
      VALUES ('pk_1', ${user.id}, 'c', 'k', 0, 'Laptop')`;
    await sql`
      INSERT INTO sessions (id, user_id, expires_at)
      VALUES (${randomBytes(32)}, ${user.id}, now() + interval '1 day')`;
    const count = async (table: string) => {
      const rows = await sql`SELECT 1 FROM ${sql(table)} WHERE user_id = ${user.id}`;
      return rows.length;
    };
    expect(await tollgate.json(`user reset-2fa ${user.email} --reason`, 'lost phone')).toMatchObject({
      removed: { twoFactor: true, passkeys: 0 },
    });
    expect([await count('totp_secrets'), await count('recovery_codes'), await count('sessions')]).toEqual([
      0, 0, 0,
    ]);
    expect(await count('passkeys')).toBe(1);
    expect((await tollgate(`user reset-2fa ${user.email}`)).stderr).toContain(
      'To remove passkeys, add --passkeys',
    );
    await tollgate.json(`user reset-2fa ${user.email} --passkeys`);
    expect(await count('passkeys')).toBe(0);
    const mails = await sql`SELECT subject FROM outbox WHERE recipient = ${user.email}`;
    expect(mails.map(({ subject }) => subject)).toEqual(['Your sign-in was reset', 'Your sign-in was reset']);
    const audit = await sql`SELECT detail FROM audit_log WHERE subject = ${user.id} ORDER BY id`;
    expect(audit.map(({ detail }) => detail)).toEqual([
      { twoFactor: true, passkeys: 0, reason: 'lost phone' },
      { twoFactor: false, passkeys: 1 },
    ]);
  });

  it('reports an email without a user', async () => {
    const { code, stderr } = await tollgate('user reset-2fa missing@example.com');
    expect(code).toBe(1);
    expect(stderr).toContain('No user has the email missing@example.com');
  });
});
