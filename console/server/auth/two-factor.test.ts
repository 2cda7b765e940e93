import { totpCode, totpStepAt } from '@tollgate/auth/totp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { PASSWORD, signUpUnverified, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const STEP_MS = 30_000;
const NEW_PASSWORD = 'seven kettles on a hill';

describe('two-factor authentication', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const codeNow = (secret: string) => totpCode(secret, totpStepAt(site.deps.clock.nowMs()));
  const confirm = (person: SignedIn) => person.visitor.client.sessions.confirm.mutate({ password: PASSWORD });

  /** A person whose authenticator works, with the next code still to come. */
  async function signUpWithApp() {
    const person = await signUpVerified(site);
    await confirm(person);
    const { client } = person.visitor;
    const { secret } = await client.twoFactor.begin.mutate();
    const { recoveryCodes } = await client.twoFactor.turnOn.mutate({ code: codeNow(secret) });
    site.advance(STEP_MS);
    return { ...person, secret, recoveryCodes };
  }

  it('is turned on by a code of the app, shows ten recovery codes once, and says so by email', async () => {
    const { visitor, email, recoveryCodes } = await signUpWithApp();
    const state = await visitor.client.twoFactor.get.query();
    expect(state).toMatchObject({ recoveryCodesLeft: 10 });
    expect(state.onSince).not.toBeNull();
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await site.newestMailTo(email)).subject).toBe('Two-factor authentication is on');
    expect((await getRefusal(visitor.client.twoFactor.begin.mutate())).code).toBe('BAD_REQUEST');
  });

  it('is not on before a right code has come', async () => {
    const person = await signUpVerified(site);
    await confirm(person);
    const { secret } = await person.visitor.client.twoFactor.begin.mutate();
    const wrong = codeNow(secret) === '000000' ? '000001' : '000000';
    const refusal = await getRefusal(person.visitor.client.twoFactor.turnOn.mutate({ code: wrong }));
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', field: 'code' });
    const entry = await site.visit().client.auth.signIn.mutate({ email: person.email, password: PASSWORD });
    expect(entry.next).toBe('console');
  });

  it('requires the code after the password, and opens no session before', async () => {
    const { email, secret } = await signUpWithApp();
    const { client } = site.visit();
    expect(await client.auth.signIn.mutate({ email, password: PASSWORD })).toEqual({ next: 'second_factor' });
    expect((await client.session.get.query()).user).toBeNull();
    expect(await client.auth.enterCode.mutate({ code: codeNow(secret) })).toMatchObject({ next: 'console' });
    expect((await client.session.get.query()).user?.email).toBe(email);
  });

  it('reveals nothing without the password', async () => {
    const { email } = await signUpWithApp();
    const { client } = site.visit();
    const refusal = await getRefusal(client.auth.signIn.mutate({ email, password: 'not the password' }));
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', reason: 'wrong_credentials' });
    const second = await getRefusal(client.auth.enterCode.mutate({ code: '123456' }));
    expect(second.reason).toBe('sign_in_again');
  });

  it('accepts each code once', async () => {
    const { email, secret } = await signUpWithApp();
    const code = codeNow(secret);
    const [first, second] = [site.visit(), site.visit()];
    for (const { client } of [first, second]) await client.auth.signIn.mutate({ email, password: PASSWORD });
    await first.client.auth.enterCode.mutate({ code });
    expect((await getRefusal(second.client.auth.enterCode.mutate({ code }))).field).toBe('code');
    site.advance(STEP_MS);
    await second.client.auth.enterCode.mutate({ code: codeNow(secret) });
  });

  it('accepts each recovery code once, even in concurrent requests', async () => {
    const { email, recoveryCodes, visitor } = await signUpWithApp();
    const [code = ''] = recoveryCodes;
    const entries = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { client } = site.visit();
        await client.auth.signIn.mutate({ email, password: PASSWORD });
        return client.auth.enterCode.mutate({ code: code.toUpperCase().replace('-', ' ') }).then(
          () => true,
          () => false,
        );
      }),
    );
    expect(entries.filter(Boolean)).toHaveLength(1);
    expect((await visitor.client.twoFactor.get.query()).recoveryCodesLeft).toBe(9);
    const used = (await site.mailsTo(email)).filter(({ subject }) => subject === 'A recovery code was used');
    expect(used.map(({ text }) => text)).toEqual([expect.stringContaining('9 recovery codes left')]);
  });

  it('limits guesses of codes without affecting other browsers', async () => {
    const { email, secret } = await signUpWithApp();
    const attacker = site.visit();
    await attacker.client.auth.signIn.mutate({ email, password: PASSWORD });
    for (let i = 0; i < 5; i++)
      expect((await getRefusal(attacker.client.auth.enterCode.mutate({ code: 'aaaaa-aaaaa' }))).field).toBe(
        'code',
      );
    const stopped = await getRefusal(attacker.client.auth.enterCode.mutate({ code: codeNow(secret) }));
    expect(stopped.code).toBe('TOO_MANY_REQUESTS');
    const owner = site.visit();
    await owner.client.auth.signIn.mutate({ email, password: PASSWORD });
    await owner.client.auth.enterCode.mutate({ code: codeNow(secret) });
  });

  it('is also required after a password reset', async () => {
    const { email, secret } = await signUpWithApp();
    const { client } = site.visit();
    await client.auth.requestPasswordReset.mutate({ email });
    const { token } = await site.newestMailTo(email);
    expect(await client.auth.resetPassword.mutate({ token, password: NEW_PASSWORD })).toEqual({
      next: 'second_factor',
    });
    expect((await client.session.get.query()).user).toBeNull();
    await client.auth.enterCode.mutate({ code: codeNow(secret) });
    expect((await client.session.get.query()).user?.email).toBe(email);
  });

  it('lets no one on with a first step from before a change of the password', async () => {
    const { email, secret, visitor } = await signUpWithApp();
    const { client } = site.visit();
    await client.auth.signIn.mutate({ email, password: PASSWORD });
    await visitor.client.settings.changePassword.mutate({
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
    });
    const refusal = await getRefusal(client.auth.enterCode.mutate({ code: codeNow(secret) }));
    expect(refusal.reason).toBe('sign_in_again');
    expect((await client.session.get.query()).user).toBeNull();
  });

  it('forgets the first step after ten minutes', async () => {
    const { email, secret } = await signUpWithApp();
    const { client } = site.visit();
    await client.auth.signIn.mutate({ email, password: PASSWORD });
    site.advance(10 * 60_000);
    const refusal = await getRefusal(client.auth.enterCode.mutate({ code: codeNow(secret) }));
    expect(refusal.reason).toBe('sign_in_again');
  });

  it('is turned off with re-authentication and a code', async () => {
    const person = await signUpWithApp();
    const { client } = person.visitor;
    site.advance(10 * 60_000);
    const unconfirmed = await getRefusal(client.twoFactor.turnOff.mutate({ code: codeNow(person.secret) }));
    expect(unconfirmed).toMatchObject({ code: 'FORBIDDEN', reason: 'confirm_identity' });
    await confirm(person);
    expect((await getRefusal(client.twoFactor.turnOff.mutate({ code: 'aaaaa-aaaaa' }))).field).toBe('code');
    await client.twoFactor.turnOff.mutate({ code: codeNow(person.secret) });
    expect((await client.twoFactor.get.query()).onSince).toBeNull();
    expect((await site.newestMailTo(person.email)).subject).toBe('Two-factor authentication is off');
    const entry = await site.visit().client.auth.signIn.mutate({ email: person.email, password: PASSWORD });
    expect(entry.next).toBe('console');
  });

  it('makes new recovery codes that end the ones before', async () => {
    const person = await signUpWithApp();
    const { client } = person.visitor;
    await confirm(person);
    const { recoveryCodes } = await client.twoFactor.remakeRecoveryCodes.mutate();
    const elsewhere = site.visit().client;
    await elsewhere.auth.signIn.mutate({ email: person.email, password: PASSWORD });
    const old = elsewhere.auth.enterCode.mutate({ code: person.recoveryCodes[1] ?? '' });
    expect((await getRefusal(old)).field).toBe('code');
    await elsewhere.auth.enterCode.mutate({ code: recoveryCodes[1] ?? '' });
  });

  it('is not offered before the email is verified', async () => {
    const { visitor } = await signUpUnverified(site);
    const refusal = await getRefusal(visitor.client.twoFactor.begin.mutate());
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'email_not_verified' });
  });

  it('keeps neither secret nor recovery codes readable in the database', async () => {
    const { secret, recoveryCodes } = await signUpWithApp();
    const secrets = await site.deps.db.sql`SELECT t::text AS row FROM totp_secrets t`;
    const codes = await site.deps.db.sql`SELECT t::text AS row FROM recovery_codes t`;
    const stored = JSON.stringify([secrets, codes]);
    for (const value of [secret, ...recoveryCodes.map((code) => code.replace('-', ''))]) {
      expect(stored).not.toContain(value);
      expect(stored).not.toContain(Buffer.from(value).toString('hex'));
    }
  });
});
