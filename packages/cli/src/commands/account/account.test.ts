import { createPasswordHasher } from '@tollgate/auth/password';
import { findUserByEmail } from '@tollgate/db/queries/users/users';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate account', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('creates an operator with a password from stdin', async () => {
    const { code, stdout } = await tollgate.withInput(
      'a long enough secret\n',
      'account create --email Op@Example.com --operator --verified --json --password -',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      id: expect.stringMatching(/^acct_/),
      email: 'op@example.com',
      emailVerifiedAt: expect.any(String),
      operator: true,
      suspendedAt: null,
      createdAt: expect.any(String),
      keys: 0,
      // Not the 60 requests per minute of the default plan.
      plan: 'internal',
      prepaid: false,
      availableUsd: '0.00',
      heldUsd: '0.00',
      spentUsd: '0.00',
      password: true,
    });
    const user = await findUserByEmail(database.db, 'op@example.com');
    const hasher = createPasswordHasher();
    expect(await hasher.verify(user?.passwordHash ?? null, 'a long enough secret')).toBe(true);
  });

  it('assigns the given plan to an operator', async () => {
    const created = await tollgate.json('account create --email op2@example.com --operator --plan standard');
    expect(created).toMatchObject({ operator: true, plan: 'standard' });
  });

  it('explains how to set a missing password', async () => {
    const { code, stdout } = await tollgate('account create --email no-password@example.com');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Verified +no/m);
    expect(stdout).toContain('"Forgot password?" in the console');
  });

  it('rejects an email that is already in use', async () => {
    await tollgate.json('account create --email twice@example.com');
    const { code, stdout, stderr } = await tollgate('account create --email TWICE@example.com --json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'email_taken', message: 'A user with the email twice@example.com already exists' },
    });
  });

  it.each([
    ['short', 'Use at least 10 characters'],
    ['password1234', 'too common'],
  ])('refuses the password %j as a usage error', async (password, reason) => {
    const { code, stderr } = await tollgate('account create --email x@example.com --password', password);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });

  it('suspends and resumes an account, and reports if nothing changed', async () => {
    const email = ['--email', 'pause@example.com'];
    await tollgate.json('account create', ...email);
    expect(await tollgate.json('account suspend', ...email)).toMatchObject({
      suspendedAt: expect.any(String),
    });
    expect((await tollgate('account suspend', ...email)).stdout).toContain('was already suspended');
    expect(await tollgate.json('account resume', ...email)).toMatchObject({ suspendedAt: null });
    expect(await tollgate.json('account show', ...email)).toMatchObject({ suspendedAt: null });
  });

  it('lists accounts as a table without colors and as JSON', async () => {
    const { stdout } = await tollgate('account list');
    expect(stdout.split('\n')[0]).toMatch(
      /^EMAIL +VERIFIED +OPERATOR +STATE +KEYS +PLAN +AVAILABLE +ON HOLD +SPENT +CREATED$/,
    );
    expect(stdout).not.toContain('\u001b');
    const emails = stdout.trim().split('\n').length - 1;
    expect(await tollgate.json('account list')).toMatchObject({ accounts: { length: emails } });
  });
});
