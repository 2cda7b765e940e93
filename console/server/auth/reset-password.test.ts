import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD, signUpUnverified, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const NEW_PASSWORD = 'seven kettles on a hill';

describe('password reset', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  async function askFor(email: string): Promise<string> {
    site.advance(61_000);
    await site.visit().client.auth.requestPasswordReset.mutate({ email });
    return (await site.newestMailTo(email)).token;
  }

  it('sets the password, ends every session, opens one and notifies the owner', async () => {
    const { email, visitor: before } = await signUpVerified(site);
    const token = await askFor(email);
    const visitor = site.visit();
    expect(await visitor.client.auth.resetPassword.mutate({ token, password: NEW_PASSWORD })).toEqual({
      next: 'console',
      emailVerified: true,
    });
    expect((await visitor.client.session.get.query()).user?.email).toBe(email);
    expect((await before.client.session.get.query()).user).toBeNull();
    const byOld = await getRefusal(site.visit().client.auth.signIn.mutate({ email, password: PASSWORD }));
    expect(byOld.reason).toBe('wrong_credentials');
    await site.visit().client.auth.signIn.mutate({ email, password: NEW_PASSWORD });
    const subjects = (await site.mailsTo(email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your Tollgate password was changed');
  });

  it('proves the email too', async () => {
    const { email } = await signUpUnverified(site);
    const token = await askFor(email);
    const visitor = site.visit();
    await visitor.client.auth.resetPassword.mutate({ token, password: NEW_PASSWORD });
    expect((await visitor.client.session.get.query()).user?.emailVerified).toBe(true);
  });

  it('answers alike whether someone has the address, and emails only its owner', async () => {
    const { email } = await signUpVerified(site);
    site.advance(61_000);
    const unknown = newEmail();
    const { client } = site.visit();
    const answer = await client.auth.requestPasswordReset.mutate({ email });
    expect(await client.auth.requestPasswordReset.mutate({ email: unknown })).toEqual(answer);
    expect(answer).toEqual({ resendAfterSeconds: 60 });
    expect(await site.mailsTo(unknown)).toEqual([]);
    const again = await getRefusal(client.auth.requestPasswordReset.mutate({ email }));
    const unknownAgain = await getRefusal(client.auth.requestPasswordReset.mutate({ email: unknown }));
    expect([again.code, unknownAgain.code]).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']);
  });

  it('accepts a link once, for an hour', async () => {
    const { email } = await signUpVerified(site);
    const token = await askFor(email);
    await site.visit().client.auth.resetPassword.mutate({ token, password: NEW_PASSWORD });
    const again = site.visit().client.auth.resetPassword.mutate({ token, password: PASSWORD });
    expect(await getRefusal(again)).toMatchObject({ code: 'BAD_REQUEST', field: 'token' });
    const late = await askFor(email);
    site.advance(3_600_000 + 1000);
    const tooLate = site.visit().client.auth.resetPassword.mutate({ token: late, password: PASSWORD });
    expect((await getRefusal(tooLate)).field).toBe('token');
  });

  it("keeps earlier links valid until one is used, so that a stranger's request invalidates none", async () => {
    const { email } = await signUpVerified(site);
    const first = await askFor(email);
    const second = await askFor(email);
    await site.visit().client.auth.resetPassword.mutate({ token: first, password: NEW_PASSWORD });
    const unused = site.visit().client.auth.resetPassword.mutate({ token: second, password: PASSWORD });
    expect((await getRefusal(unused)).field).toBe('token');
  });

  it('does not use up the link if the password is refused', async () => {
    const { email } = await signUpVerified(site);
    const token = await askFor(email);
    const { client } = site.visit();
    const common = await getRefusal(client.auth.resetPassword.mutate({ token, password: 'password123' }));
    expect(common).toMatchObject({ code: 'BAD_REQUEST', field: 'password' });
    await client.auth.resetPassword.mutate({ token, password: NEW_PASSWORD });
  });

  it('rejects a link of another purpose', async () => {
    const email = newEmail();
    await site.visit().client.auth.signUp.mutate({ email, password: PASSWORD });
    const { token } = await site.newestMailTo(email);
    const attempt = site.visit().client.auth.resetPassword.mutate({ token, password: NEW_PASSWORD });
    expect((await getRefusal(attempt)).field).toBe('token');
  });

  it('is open to an owner whom guesses from many places have locked out of signing in', async () => {
    const { email } = await signUpVerified(site);
    for (let i = 0; i < 55; i++) {
      if (i % 10 === 0) site.advance(1);
      await getRefusal(site.visit().client.auth.signIn.mutate({ email, password: 'wrong' }));
    }
    const locked = await getRefusal(site.visit().client.auth.signIn.mutate({ email, password: PASSWORD }));
    expect(locked.code).toBe('TOO_MANY_REQUESTS');
    expect(locked.retryAfterSeconds).toBeLessThanOrEqual(3600);
    const token = await askFor(email);
    const owner = site.visit();
    await owner.client.auth.resetPassword.mutate({ token, password: NEW_PASSWORD });
    expect((await owner.client.session.get.query()).user?.email).toBe(email);
  });
});
