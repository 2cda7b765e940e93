import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD, signUpUnverified, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';
import { createOperatorLink } from '../operator/operator-link.ts';

const OTHER_PASSWORD = 'seven kettles on a hill';

describe('auth.signUp', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const operatorToken = async () => {
    const link = await createOperatorLink(site.deps.db, {
      clock: site.deps.clock,
      publicConsoleUrl: 'http://127.0.0.1:3000',
    });
    return new URL(link ?? '').searchParams.get('operator') ?? '';
  };

  it('mails a code and a link, and signs no one in', async () => {
    const email = newEmail();
    const visitor = site.visit();
    expect(await visitor.client.auth.signUp.mutate({ email, password: PASSWORD })).toEqual({
      resendAfterSeconds: 60,
    });
    const mail = await site.newestMailTo(email);
    expect(mail.code).toMatch(/^\d{6}$/);
    expect(mail.text).toContain(`http://127.0.0.1:3000/verify?token=${mail.token}`);
    expect(mail.html).toContain(mail.code);
    expect(mail.subject).not.toContain(mail.code);
    expect((await visitor.client.session.get.query()).user).toBeNull();
  });

  it('leads on from the link to where someone wanted to go, and to no other site', async () => {
    const email = newEmail();
    const visitor = site.visit();
    const signUp = { email, password: PASSWORD, returnTo: '/join?token=a-b&x=%20' };
    const leadsOnTo = async () => {
      const { text } = await site.newestMailTo(email);
      return new URL(/\S+\/verify\?\S+/.exec(text)?.[0] ?? '').searchParams.get('redirect');
    };
    await visitor.client.auth.signUp.mutate(signUp);
    expect(await leadsOnTo()).toBe(signUp.returnTo);
    site.advance(61_000);
    await visitor.client.auth.resendVerification.mutate({ email, returnTo: '/billing' });
    expect(await leadsOnTo()).toBe('/billing');
    site.advance(61_000);
    await visitor.client.auth.resendVerification.mutate({ email });
    expect(await leadsOnTo()).toBeNull();
    for (const returnTo of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere.example'])
      expect(
        (await getRefusal(visitor.client.auth.signUp.mutate({ ...signUp, returnTo }))).zodIssues,
      ).toEqual([{ path: 'returnTo', message: 'Enter a console path, such as /keys' }]);
  });

  it('accepts an address in any case, and only once', async () => {
    const { email } = await signUpVerified(site);
    site.advance(61_000);
    await site
      .visit()
      .client.auth.signUp.mutate({ email: ` ${email.toUpperCase()} `, password: OTHER_PASSWORD });
    expect((await site.newestMailTo(email)).subject).toBe('You already have a Tollgate account');
  });

  it.each([
    ['password123', 'common'],
    ['qwertyuiopqwertyuiop', 'sequence'],
    ['abcabcabcabc', 'repetition'],
  ])('refuses %s (a %s password) at its field', async (password) => {
    const refusal = await getRefusal(site.visit().client.auth.signUp.mutate({ email: newEmail(), password }));
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', field: 'password' });
  });

  it('names each field that breaks a rule', async () => {
    const refusal = await getRefusal(
      site.visit().client.auth.signUp.mutate({ email: 'no-address', password: 'short' }),
    );
    expect(refusal.code).toBe('BAD_REQUEST');
    expect(refusal.zodIssues).toEqual([
      { path: 'email', message: 'Enter an email address such as you@example.com' },
      { path: 'password', message: 'Use at least 10 characters' },
    ]);
  });

  it('answers alike for a new, a waiting and a verified address', async () => {
    const verified = await signUpVerified(site);
    const waiting = await signUpUnverified(site);
    site.advance(61_000);
    const answers = await Promise.all(
      [newEmail(), waiting.email, verified.email].map(async (email) => {
        const visitor = site.visit();
        const answer = await visitor.client.auth.signUp.mutate({ email, password: OTHER_PASSWORD });
        return { answer, cookies: [...visitor.cookies.keys()], lines: visitor.lastSetCookies.length };
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('leaves a verified user unchanged and notifies them', async () => {
    const { email, visitor } = await signUpVerified(site);
    site.advance(61_000);
    await site.visit().client.auth.signUp.mutate({ email, password: OTHER_PASSWORD });
    const mail = await site.newestMailTo(email);
    expect(mail.subject).toBe('You already have a Tollgate account');
    expect(mail.code).toBe('');
    expect((await visitor.client.session.get.query()).user?.email).toBe(email);
    await site.visit().client.auth.signIn.mutate({ email, password: PASSWORD });
  });

  it('gives an unverified user the new password and code, and ends earlier sessions', async () => {
    const first = await signUpUnverified(site);
    const { code: oldCode } = await site.newestMailTo(first.email);
    site.advance(61_000);
    const second = site.visit();
    await second.client.auth.signUp.mutate({ email: first.email, password: OTHER_PASSWORD });
    expect((await first.visitor.client.session.get.query()).user).toBeNull();
    const wrong = getRefusal(second.client.auth.verifyEmail.mutate({ email: first.email, code: oldCode }));
    expect((await wrong).field).toBe('code');
    const { code } = await site.newestMailTo(first.email);
    await second.client.auth.verifyEmail.mutate({ email: first.email, code });
    const byOld = getRefusal(
      site.visit().client.auth.signIn.mutate({ email: first.email, password: PASSWORD }),
    );
    expect((await byOld).reason).toBe('wrong_credentials');
    await site.visit().client.auth.signIn.mutate({ email: first.email, password: OTHER_PASSWORD });
  });

  it("keeps the user's own password if a stranger signs up with the same address before verification", async () => {
    const email = newEmail();
    const person = site.visit();
    await person.client.auth.signUp.mutate({ email, password: PASSWORD });
    const { code } = await site.newestMailTo(email);
    const stranger = site.visit();
    await stranger.client.auth.signUp.mutate({ email, password: OTHER_PASSWORD });
    await stranger.client.auth.signIn.mutate({ email, password: OTHER_PASSWORD });
    await person.client.auth.verifyEmail.mutate({ email, code });
    expect((await stranger.client.session.get.query()).user).toBeNull();
    const refusal = await getRefusal(stranger.client.auth.signIn.mutate({ email, password: OTHER_PASSWORD }));
    expect(refusal.reason).toBe('wrong_credentials');
    await site.visit().client.auth.signIn.mutate({ email, password: PASSWORD });
  });

  it('waits a minute before another email to the address', async () => {
    const email = newEmail();
    const { client } = site.visit();
    await client.auth.signUp.mutate({ email, password: PASSWORD });
    const refusal = await getRefusal(client.auth.signUp.mutate({ email, password: PASSWORD }));
    expect(refusal.code).toBe('TOO_MANY_REQUESTS');
    expect(refusal.retryAfterSeconds).toBeGreaterThan(50);
    expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await site.mailsTo(email)).toHaveLength(1);
  });

  it('lets one address make 20 sign-ups an hour', async () => {
    const visitor = site.visit();
    for (let i = 0; i < 20; i++)
      await visitor.client.auth.signUp.mutate({ email: newEmail(), password: PASSWORD });
    const refusal = await getRefusal(
      visitor.client.auth.signUp.mutate({ email: newEmail(), password: PASSWORD }),
    );
    expect(refusal.code).toBe('TOO_MANY_REQUESTS');
    await site.visit().client.auth.signUp.mutate({ email: newEmail(), password: PASSWORD });
  });

  it('makes a user the operator once, when they verify their email', async () => {
    const token = await operatorToken();
    const email = newEmail();
    const visitor = site.visit();
    expect(await visitor.client.auth.operatorLink.query({ token })).toEqual({ problem: null });
    expect((await visitor.client.auth.operatorLink.query({ token: 'made-up' })).problem).toMatch(
      /print a new link/,
    );
    await visitor.client.auth.signUp.mutate({ email, password: PASSWORD, operatorToken: token });
    await visitor.client.auth.signIn.mutate({ email, password: PASSWORD });
    expect((await visitor.client.session.get.query()).user?.isOperator).toBe(false);
    await visitor.client.auth.verifyEmail.mutate({ email, code: (await site.newestMailTo(email)).code });
    expect((await visitor.client.session.get.query()).user?.isOperator).toBe(true);
    const stranger = site.visit();
    const { problem } = await stranger.client.auth.operatorLink.query({ token });
    expect(problem).toContain('already has an operator');
    const again = stranger.client.auth.signUp.mutate({
      email: newEmail(),
      password: PASSWORD,
      operatorToken: token,
    });
    expect(await getRefusal(again)).toMatchObject({
      code: 'BAD_REQUEST',
      field: 'operatorToken',
      // A restart prints no link once there is an operator.
      message: expect.stringContaining('already has an operator'),
    });
    const link = createOperatorLink(site.deps.db, { clock: site.deps.clock, publicConsoleUrl: '' });
    expect(await link).toBeNull();
  });
});

describe('auth.signUp with an operator link', () => {
  it('rejects an invalid, replaced or expired link', async () => {
    await using site = await createTestConsole();
    const make = async () => {
      const link = await createOperatorLink(site.deps.db, {
        clock: site.deps.clock,
        publicConsoleUrl: 'http://x',
      });
      return new URL(link ?? '').searchParams.get('operator') ?? '';
    };
    const replaced = await make();
    const current = await make();
    const attempt = (operatorToken: string) =>
      getRefusal(
        site.visit().client.auth.signUp.mutate({ email: newEmail(), password: PASSWORD, operatorToken }),
      );
    expect((await attempt('made-up')).field).toBe('operatorToken');
    expect((await attempt(replaced)).field).toBe('operatorToken');
    site.advance(24 * 3_600_000 + 1000);
    expect((await attempt(current)).field).toBe('operatorToken');
  });

  it('does not make a user who signs up again without the link the operator', async () => {
    await using site = await createTestConsole();
    const link = await createOperatorLink(site.deps.db, {
      clock: site.deps.clock,
      publicConsoleUrl: 'http://x',
    });
    const operatorToken = new URL(link ?? '').searchParams.get('operator') ?? '';
    const email = newEmail();
    await site.visit().client.auth.signUp.mutate({ email, password: PASSWORD, operatorToken });
    site.advance(61_000);
    const stranger = site.visit();
    await stranger.client.auth.signUp.mutate({ email, password: OTHER_PASSWORD });
    await stranger.client.auth.verifyEmail.mutate({ token: (await site.newestMailTo(email)).token });
    expect((await stranger.client.session.get.query()).user?.isOperator).toBe(false);
  });

  it('makes a verified user the operator if they know their password', async () => {
    await using site = await createTestConsole();
    const { email, visitor } = await signUpVerified(site);
    const link = await createOperatorLink(site.deps.db, {
      clock: site.deps.clock,
      publicConsoleUrl: 'http://x',
    });
    const operatorToken = new URL(link ?? '').searchParams.get('operator') ?? '';
    site.advance(61_000);
    await site.visit().client.auth.signUp.mutate({ email, password: OTHER_PASSWORD, operatorToken });
    expect((await visitor.client.session.get.query()).user?.isOperator).toBe(false);
    site.advance(61_000);
    await site.visit().client.auth.signUp.mutate({ email, password: PASSWORD, operatorToken });
    expect((await visitor.client.session.get.query()).user?.isOperator).toBe(true);
  });
});
