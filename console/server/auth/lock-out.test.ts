import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const NEW_PASSWORD = 'nine kettles on a bus';

describe('a stranger with many addresses', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  /** Guesses from a new address each, until sign-ins from elsewhere are stopped. */
  async function guess(email: string): Promise<number> {
    for (let tries = 0; tries < 200; tries++) {
      const attempt = site.visit().client.auth.signIn.mutate({ email, password: 'wrong' });
      if ((await getRefusal(attempt)).code === 'TOO_MANY_REQUESTS') return tries;
    }
    return 200;
  }

  it('is bounded per login, while a known browser and a known network still sign in', async () => {
    const home = '198.51.100.20';
    const email = newEmail();
    const owner = await signUpVerified(site, email, { remoteAddress: home });
    expect(await guess(email)).toBe(50);
    const fresh = await getRefusal(site.visit().client.auth.signIn.mutate({ email, password: PASSWORD }));
    expect(fresh.code).toBe('TOO_MANY_REQUESTS');
    const newLaptop = site.visit({ remoteAddress: home });
    await newLaptop.client.auth.signIn.mutate({ email, password: PASSWORD });
    const travelling = site.visit();
    for (const [name, value] of owner.visitor.cookies) travelling.cookies.set(name, value);
    await travelling.client.auth.signIn.mutate({ email, password: PASSWORD });
  });

  it('makes the owner an email once a day, whose link signs in on a new device', async () => {
    const { email } = await signUpVerified(site);
    await guess(email);
    await guess(email);
    const warnings = (await site.mailsTo(email)).filter(({ subject }) => subject.startsWith('Many failed'));
    expect(warnings).toHaveLength(1);
    const fresh = site.visit();
    await fresh.client.auth.requestPasswordReset.mutate({ email });
    const { token } = await site.newestMailTo(email);
    expect(await fresh.client.auth.resetPassword.mutate({ token, password: NEW_PASSWORD })).toMatchObject({
      next: 'console',
    });
  });

  it('does not reveal whether the login exists', async () => {
    expect(await guess(newEmail())).toBe(50);
  });

  it('cannot keep a link for a new password from the owner, nor fill their mailbox', async () => {
    const { email, visitor } = await signUpVerified(site);
    const before = (await site.mailsTo(email)).length;
    for (let i = 0; i < 20; i++) {
      await site.visit().client.auth.requestPasswordReset.mutate({ email });
      await site.visit().client.auth.resendVerification.mutate({ email });
      await site.visit().client.auth.signUp.mutate({ email, password: PASSWORD });
    }
    // Five links that work, and one notice that the address is registered.
    expect((await site.mailsTo(email)).length - before).toBe(6);
    await visitor.client.auth.requestPasswordReset.mutate({ email });
    const mails = await site.mailsTo(email);
    expect(mails.length - before).toBe(7);
    await site.visit().client.auth.resetPassword.mutate({
      token: mails.find(({ token }) => token !== '')?.token ?? '',
      password: NEW_PASSWORD,
    });
  });

  it('cannot keep a new person from proving their mailbox', async () => {
    const email = newEmail();
    for (let i = 0; i < 10; i++) await site.visit().client.auth.resendVerification.mutate({ email });
    const person = site.visit();
    await person.client.auth.signUp.mutate({ email, password: PASSWORD });
    const { code, token } = await site.newestMailTo(email);
    for (let i = 0; i < 8; i++) {
      const stranger = site.visit();
      await stranger.client.auth.resendVerification.mutate({ email });
      for (let tries = 0; tries < 6; tries++)
        await getRefusal(stranger.client.auth.verifyEmail.mutate({ email, code: '000000' }));
    }
    expect(code).not.toBe('000000');
    expect(await person.client.auth.verifyEmail.mutate({ email, code })).toMatchObject({ next: 'console' });
    expect((await getRefusal(site.visit().client.auth.verifyEmail.mutate({ token }))).field).toBe('token');
  });

  it('cannot use up the mails of one kind by asking for another', async () => {
    const inviter = await signUpVerified(site);
    const email = newEmail();
    for (let i = 0; i < 6; i++) {
      const { accountId } = inviter;
      const invite = inviter.visitor.client.team.invite.mutate({ accountId, email, role: 'viewer' });
      await invite.catch(() => undefined);
      site.advance(61_000);
    }
    const before = (await site.mailsTo(email)).length;
    await site.visit().client.auth.signUp.mutate({ email, password: PASSWORD });
    expect((await site.mailsTo(email)).length).toBe(before + 1);
  });
});
