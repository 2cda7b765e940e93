import { randomBytes } from 'node:crypto';
import { findUserByEmail } from '@tollgate/db/queries/users/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD } from '../testing/people.ts';
import { getRefusal, type Visitor } from '../testing/visitor.ts';

const STRANGERS_PASSWORD = 'nine kettles on a bus';
const NEW_PASSWORD = 'seven geese under a lamp';

describe('a login that a stranger made with the address of a person', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  /** A stranger signs up and in, and adds everything that a login can have; procedures refuse most of it. */
  async function occupy(): Promise<{ email: string; userId: string; stranger: Visitor; token: string }> {
    const email = newEmail();
    const stranger = site.visit();
    await stranger.client.auth.signUp.mutate({ email, password: STRANGERS_PASSWORD });
    await stranger.client.auth.signIn.mutate({ email, password: STRANGERS_PASSWORD });
    await stranger.client.settings.setName.mutate({ name: 'Support' });
    const { sql } = site.deps.db;
    const userId = (await findUserByEmail(site.deps.db, email))?.id ?? '';
    const random = randomBytes(32);
    await sql`INSERT INTO totp_secrets (user_id, secret_sealed, confirmed_at) VALUES (${userId}, 'x', now())`;
    await sql`INSERT INTO recovery_codes (user_id, code_hash) VALUES (${userId}, ${random})`;
    await sql`
      INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name)
      VALUES (${userId}, ${userId}, ${random}, 'k', 0, 'Laptop')`;
    await sql`
      INSERT INTO identities (id, user_id, provider, issuer, subject, email)
      VALUES (${userId}, ${userId}, 'github', 'https://github.com', ${userId}, 'stranger@example.com')`;
    const { token } = await site.newestMailTo(email);
    return { email, userId, stranger, token };
  }

  async function expectNothingLeft({ email, userId, stranger }: Awaited<ReturnType<typeof occupy>>) {
    const { sql } = site.deps.db;
    for (const table of ['totp_secrets', 'recovery_codes', 'passkeys', 'identities'])
      expect(await sql`SELECT 1 FROM ${sql(table)} WHERE user_id = ${userId}`).toHaveLength(0);
    const [user] =
      await sql`SELECT name, email_verified_at IS NOT NULL AS verified FROM users WHERE id = ${userId}`;
    expect(user).toEqual({ name: null, verified: true });
    expect((await stranger.client.session.get.query()).user).toBeNull();
    const attempt = site.visit().client.auth.signIn.mutate({ email, password: STRANGERS_PASSWORD });
    expect((await getRefusal(attempt)).reason).toBe('wrong_credentials');
  }

  it('keeps nothing of the stranger once the person opens the link of the email', async () => {
    const login = await occupy();
    const person = site.visit();
    const entry = await person.client.auth.verifyEmail.mutate({ token: login.token });
    expect(entry.next).toBe('set_password');
    await expectNothingLeft(login);
  });

  it('keeps nothing of the stranger once the person signs up too and enters the code', async () => {
    const login = await occupy();
    const person = site.visit();
    await person.client.auth.signUp.mutate({ email: login.email, password: PASSWORD });
    const { code } = await site.newestMailTo(login.email);
    await site.visit().client.auth.signUp.mutate({ email: login.email, password: STRANGERS_PASSWORD });
    const { email } = login;
    expect(await person.client.auth.verifyEmail.mutate({ email, code })).toMatchObject({ next: 'console' });
    await expectNothingLeft(login);
    await site.visit().client.auth.signIn.mutate({ email, password: PASSWORD });
  });

  it('keeps nothing of the stranger once the person sets a password by the link of a reset', async () => {
    const login = await occupy();
    await site.visit().client.auth.requestPasswordReset.mutate({ email: login.email });
    const { token } = await site.newestMailTo(login.email);
    const person = site.visit();
    expect(await person.client.auth.resetPassword.mutate({ token, password: NEW_PASSWORD })).toMatchObject({
      next: 'console',
    });
    await expectNothingLeft(login);
  });

  it('ends a change of the address that the stranger began', async () => {
    const login = await occupy();
    const next = newEmail();
    await login.stranger.client.settings.requestEmailChange.mutate({
      email: next,
      password: STRANGERS_PASSWORD,
    });
    const change = await site.newestMailTo(next);
    await site.visit().client.auth.verifyEmail.mutate({ token: login.token });
    const [row] = await site.deps.db.sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM one_time_codes WHERE purpose = 'change_email' AND user_id = ${login.userId}`;
    expect([change.token === '', row?.n]).toEqual([false, 0]);
  });
});
