import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { PASSWORD, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const NEW_PASSWORD = 'seven kettles on a hill';

describe('settings.changePassword', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('ends the other sessions, keeps this one, and leaves an audit entry and an email', async () => {
    const { email, visitor } = await signUpVerified(site);
    const other = site.visit();
    await other.client.auth.signIn.mutate({ email, password: PASSWORD });
    await visitor.client.settings.changePassword.mutate({
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
    });
    expect((await visitor.client.session.get.query()).user?.email).toBe(email);
    expect((await other.client.session.get.query()).user).toBeNull();
    await site.visit().client.auth.signIn.mutate({ email, password: NEW_PASSWORD });
    const subjects = (await site.mailsTo(email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your Tollgate password was changed');
    const entries = await site.deps.db.sql`SELECT 1 FROM audit_log WHERE action = 'user.password_changed'`;
    expect(entries).toHaveLength(1);
  });

  it('requires the current password', async () => {
    const { email, visitor } = await signUpVerified(site);
    const refusal = await getRefusal(
      visitor.client.settings.changePassword.mutate({
        currentPassword: 'a guess of it',
        newPassword: NEW_PASSWORD,
      }),
    );
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', field: 'currentPassword' });
    await site.visit().client.auth.signIn.mutate({ email, password: PASSWORD });
  });

  it('refuses a common new one at its field', async () => {
    const { visitor } = await signUpVerified(site);
    const refusal = await getRefusal(
      visitor.client.settings.changePassword.mutate({
        currentPassword: PASSWORD,
        newPassword: 'password123',
      }),
    );
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', field: 'newPassword' });
  });

  it('limits guesses of the current password in an open session', async () => {
    const { visitor } = await signUpVerified(site);
    const guess = () =>
      getRefusal(
        visitor.client.settings.changePassword.mutate({
          currentPassword: 'a guess',
          newPassword: NEW_PASSWORD,
        }),
      );
    for (let i = 0; i < 10; i++) expect((await guess()).field).toBe('currentPassword');
    expect((await guess()).code).toBe('TOO_MANY_REQUESTS');
  });

  it('ends reset links that were sent before', async () => {
    const { email, visitor } = await signUpVerified(site);
    await site.visit().client.auth.requestPasswordReset.mutate({ email });
    const { token } = await site.newestMailTo(email);
    await visitor.client.settings.changePassword.mutate({
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
    });
    const attempt = site
      .visit()
      .client.auth.resetPassword.mutate({ token, password: 'nine ladders by the sea' });
    expect((await getRefusal(attempt)).field).toBe('token');
  });

  it('lets no sign-in by the old password slip past', async () => {
    const { email, visitor } = await signUpVerified(site);
    const signIns = Array.from({ length: 6 }, () => {
      const browser = site.visit();
      return browser.client.auth.signIn.mutate({ email, password: PASSWORD }).then(
        () => browser,
        () => null,
      );
    });
    await visitor.client.settings.changePassword.mutate({
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
    });
    for (const browser of await Promise.all(signIns)) {
      if (browser === null) continue;
      expect((await browser.client.session.get.query()).user).toBeNull();
    }
  });
});
