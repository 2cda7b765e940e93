import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD, signUpUnverified, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

describe('changing the email address', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('mails a code to the new address and a notice to the old one, and changes nothing yet', async () => {
    const { email, visitor } = await signUpVerified(site);
    const next = newEmail();
    const answer = await visitor.client.settings.requestEmailChange.mutate({
      email: next,
      password: PASSWORD,
    });
    expect(answer).toEqual({ resendAfterSeconds: 60 });
    const mail = await site.newestMailTo(next);
    expect(mail.text).toContain(`http://127.0.0.1:3000/settings/confirm-email?token=${mail.token}`);
    const notice = await site.newestMailTo(email);
    expect(notice.subject).toBe('Email address change requested');
    expect(notice.text).not.toContain(next);
    expect((await visitor.client.session.get.query()).user?.email).toBe(email);
  });

  it('accepts the code, renames the account, and invalidates links to the old address', async () => {
    const { email, visitor } = await signUpVerified(site);
    const next = newEmail();
    await site.visit().client.auth.requestPasswordReset.mutate({ email });
    const { token: resetToken } = await site.newestMailTo(email);
    await visitor.client.settings.requestEmailChange.mutate({ email: next, password: PASSWORD });
    const { code } = await site.newestMailTo(next);
    expect(await visitor.client.settings.confirmEmailChange.mutate({ code })).toEqual({ email: next });
    const { user, accounts } = await visitor.client.session.get.query();
    expect(user).toMatchObject({ email: next, emailVerified: true });
    expect(accounts[0]?.name).toBe(next);
    const reset = site
      .visit()
      .client.auth.resetPassword.mutate({ token: resetToken, password: 'nine ladders by the sea' });
    expect((await getRefusal(reset)).field).toBe('token');
    expect((await site.newestMailTo(email)).subject).toBe(
      'The email address of your Tollgate account was changed',
    );
    await site.visit().client.auth.signIn.mutate({ email: next, password: PASSWORD });
  });

  it('accepts the link only if its owner is signed in', async () => {
    const owner = await signUpVerified(site);
    const stranger = await signUpVerified(site);
    const next = newEmail();
    await owner.visitor.client.settings.requestEmailChange.mutate({ email: next, password: PASSWORD });
    const { token } = await site.newestMailTo(next);
    const attempt = stranger.visitor.client.settings.confirmEmailChange.mutate({ token });
    expect((await getRefusal(attempt)).field).toBe('token');
    expect(await owner.visitor.client.settings.confirmEmailChange.mutate({ token })).toEqual({ email: next });
  });

  it('requires the password and a different address', async () => {
    const { email, visitor } = await signUpVerified(site);
    const { requestEmailChange } = visitor.client.settings;
    const wrong = await getRefusal(requestEmailChange.mutate({ email: newEmail(), password: 'a guess' }));
    expect(wrong).toMatchObject({ code: 'BAD_REQUEST', field: 'password' });
    const same = await getRefusal(requestEmailChange.mutate({ email, password: PASSWORD }));
    expect(same).toMatchObject({ code: 'BAD_REQUEST', field: 'email' });
  });

  it('gives the same response if the address is taken, and informs only its owner', async () => {
    const owner = await signUpVerified(site);
    const { visitor } = await signUpVerified(site);
    const answer = await visitor.client.settings.requestEmailChange.mutate({
      email: owner.email,
      password: PASSWORD,
    });
    expect(answer).toEqual({ resendAfterSeconds: 60 });
    const mail = await site.newestMailTo(owner.email);
    expect(mail.subject).toBe('This address already has a Tollgate account');
    expect([mail.code, mail.token]).toEqual(['', '']);
  });

  it('rejects the confirmation of an address that another user claimed in the meantime', async () => {
    const { email, visitor } = await signUpVerified(site);
    const next = newEmail();
    await visitor.client.settings.requestEmailChange.mutate({ email: next, password: PASSWORD });
    const { code } = await site.newestMailTo(next);
    await signUpVerified(site, next);
    const refusal = await getRefusal(visitor.client.settings.confirmEmailChange.mutate({ code }));
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', field: 'code' });
    expect((await visitor.client.session.get.query()).user?.email).toBe(email);
  });

  it('lets five wrong codes pass and then none', async () => {
    const { visitor } = await signUpVerified(site);
    const next = newEmail();
    await visitor.client.settings.requestEmailChange.mutate({ email: next, password: PASSWORD });
    const { code } = await site.newestMailTo(next);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const { confirmEmailChange } = visitor.client.settings;
    for (let i = 0; i < 5; i++)
      expect((await getRefusal(confirmEmailChange.mutate({ code: wrong }))).field).toBe('code');
    expect((await getRefusal(confirmEmailChange.mutate({ code }))).field).toBe('code');
  });

  it('repairs an address that was mistyped at sign-up', async () => {
    const { visitor } = await signUpUnverified(site);
    const next = newEmail();
    await visitor.client.settings.requestEmailChange.mutate({ email: next, password: PASSWORD });
    await visitor.client.settings.confirmEmailChange.mutate({ code: (await site.newestMailTo(next)).code });
    expect((await visitor.client.session.get.query()).user).toMatchObject({
      email: next,
      emailVerified: true,
    });
  });

  it('waits a minute before the next email', async () => {
    const { visitor } = await signUpVerified(site);
    const { requestEmailChange } = visitor.client.settings;
    await requestEmailChange.mutate({ email: newEmail(), password: PASSWORD });
    const refusal = await getRefusal(requestEmailChange.mutate({ email: newEmail(), password: PASSWORD }));
    expect(refusal.code).toBe('TOO_MANY_REQUESTS');
  });
});
