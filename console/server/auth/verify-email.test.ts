import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD, signUpVerified } from '../testing/people.ts';
import { getRefusal, type Visitor } from '../testing/visitor.ts';

const OTHER_PASSWORD = 'nine kettles on a bus';
const MINUTE_MS = 60_000;

describe('auth.verifyEmail', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  async function signUp(): Promise<{ visitor: Visitor; email: string; code: string; token: string }> {
    const email = newEmail();
    const visitor = site.visit();
    await visitor.client.auth.signUp.mutate({ email, password: PASSWORD });
    const { code, token } = await site.newestMailTo(email);
    return { visitor, email, code, token };
  }
  const otherCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('signs the person in by the code, blanks forgiven', async () => {
    const { visitor, email, code } = await signUp();
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect(await visitor.client.auth.verifyEmail.mutate({ email, code: spaced })).toEqual({
      next: 'console',
      email,
    });
    const { user, accounts } = await visitor.client.session.get.query();
    expect(user).toMatchObject({ email, emailVerified: true, isOperator: false });
    expect(accounts).toEqual([
      {
        id: expect.stringMatching(/^acct_/),
        name: email,
        isNamed: false,
        role: 'owner',
        requiresTwoFactor: false,
      },
    ]);
  });

  it('signs the person in by the link, in the browser that signed up', async () => {
    const { visitor, email, token } = await signUp();
    expect(await visitor.client.auth.verifyEmail.mutate({ token })).toEqual({ next: 'console', email });
    expect((await visitor.client.session.get.query()).user?.emailVerified).toBe(true);
    await site.visit().client.auth.signIn.mutate({ email, password: PASSWORD });
  });

  it('requires a new password if the link is opened in another browser, and opens no session before', async () => {
    const { email, token } = await signUp();
    const elsewhere = site.visit();
    const entry = await elsewhere.client.auth.verifyEmail.mutate({ token });
    expect(entry).toEqual({ next: 'set_password', email, token: expect.any(String) });
    expect((await elsewhere.client.session.get.query()).user).toBeNull();
    const byOld = await getRefusal(site.visit().client.auth.signIn.mutate({ email, password: PASSWORD }));
    expect(byOld.reason).toBe('wrong_credentials');
    const resetToken = entry.next === 'set_password' ? entry.token : '';
    await elsewhere.client.auth.resetPassword.mutate({ token: resetToken, password: OTHER_PASSWORD });
    expect((await elsewhere.client.session.get.query()).user).toMatchObject({ email, emailVerified: true });
  });

  it('accepts a code and its link once', async () => {
    const { visitor, email, code, token } = await signUp();
    await visitor.client.auth.verifyEmail.mutate({ email, code });
    expect((await getRefusal(site.visit().client.auth.verifyEmail.mutate({ email, code }))).field).toBe(
      'code',
    );
    expect((await getRefusal(site.visit().client.auth.verifyEmail.mutate({ token }))).field).toBe('token');
  });

  it('kills a code after five wrong ones, while the link still works', async () => {
    const { visitor, email, code, token } = await signUp();
    const messages = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const refusal = await getRefusal(
        visitor.client.auth.verifyEmail.mutate({ email, code: otherCode(code) }),
      );
      expect(refusal).toMatchObject({ code: 'BAD_REQUEST', field: 'code' });
      messages.add(refusal.message);
    }
    messages.add((await getRefusal(visitor.client.auth.verifyEmail.mutate({ email, code }))).message);
    expect(messages.size).toBe(1);
    expect(await visitor.client.auth.verifyEmail.mutate({ token })).toMatchObject({ next: 'console', email });
  });

  it('counts guesses that are sent together one by one', async () => {
    const { visitor, email, code } = await signUp();
    const guesses = Array.from({ length: 12 }, () =>
      visitor.client.auth.verifyEmail.mutate({ email, code: otherCode(code) }),
    );
    await Promise.allSettled(guesses);
    const [row] = await site.deps.db.sql<{ left: number }[]>`
      SELECT attempts_left AS left FROM one_time_codes WHERE email = ${email}`;
    expect(row?.left).toBe(0);
  });

  it('lets one of many that send the right code together pass', async () => {
    const { visitor, email, code } = await signUp();
    const tries = Array.from({ length: 6 }, () => visitor.client.auth.verifyEmail.mutate({ email, code }));
    const results = await Promise.allSettled(tries);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('accepts the code for 15 minutes and the link for a day', async () => {
    const byCode = await signUp();
    const byLink = await signUp();
    const tooLate = await signUp();
    site.advance(15 * MINUTE_MS + 1000);
    const refusal = await getRefusal(
      byCode.visitor.client.auth.verifyEmail.mutate({ email: byCode.email, code: byCode.code }),
    );
    expect(refusal.field).toBe('code');
    site.advance(23 * 60 * MINUTE_MS);
    await byLink.visitor.client.auth.verifyEmail.mutate({ token: byLink.token });
    site.advance(60 * MINUTE_MS);
    expect(
      (await getRefusal(tooLate.visitor.client.auth.verifyEmail.mutate({ token: tooLate.token }))).field,
    ).toBe('token');
  });

  it('answers alike for a wrong code and for an address that no one has', async () => {
    const { visitor, email, code } = await signUp();
    const known = await getRefusal(visitor.client.auth.verifyEmail.mutate({ email, code: otherCode(code) }));
    const unknown = await getRefusal(visitor.client.auth.verifyEmail.mutate({ email: newEmail(), code }));
    expect(unknown).toEqual(known);
  });

  it("rejects another user's code", async () => {
    const mine = await signUp();
    const theirs = await signUp();
    // Once in a million the two are equal.
    const code = mine.code === theirs.code ? otherCode(mine.code) : mine.code;
    const attempt = mine.visitor.client.auth.verifyEmail.mutate({ email: theirs.email, code });
    expect((await getRefusal(attempt)).field).toBe('code');
  });

  it('names the field of a malformed code', async () => {
    const refusal = await getRefusal(
      site.visit().client.auth.verifyEmail.mutate({ email: newEmail(), code: '12345' }),
    );
    expect(refusal.zodIssues).toEqual([{ path: 'code', message: 'Enter the 6 digits from the email' }]);
  });
});

describe('auth.resendVerification', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('sends another code after a minute, and keeps the link of the one before', async () => {
    const email = newEmail();
    const visitor = site.visit();
    await visitor.client.auth.signUp.mutate({ email, password: PASSWORD });
    const before = await site.newestMailTo(email);
    const tooSoon = await getRefusal(visitor.client.auth.resendVerification.mutate({ email }));
    expect(tooSoon).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: expect.stringMatching(/^Too many attempts\. Try again in \d+ seconds/),
    });
    site.advance((tooSoon.retryAfterSeconds ?? 0) * 1000);
    expect(await visitor.client.auth.resendVerification.mutate({ email })).toEqual({
      resendAfterSeconds: 60,
    });
    const after = await site.newestMailTo(email);
    expect(after.token).not.toBe(before.token);
    await visitor.client.auth.verifyEmail.mutate({ token: before.token });
    expect(
      (await getRefusal(visitor.client.auth.verifyEmail.mutate({ email, code: after.code }))).field,
    ).toBe('code');
  });

  it('gives the same response for an unverified, a verified and an unknown address, and emails only the first', async () => {
    const { email: verified } = await signUpVerified(site);
    const waiting = newEmail();
    const unknown = newEmail();
    await site.visit().client.auth.signUp.mutate({ email: waiting, password: PASSWORD });
    site.advance(61_000);
    const counts = async () =>
      Promise.all([waiting, verified, unknown].map(async (email) => (await site.mailsTo(email)).length));
    const before = await counts();
    const asker = site.visit();
    const addresses = [waiting, verified, unknown];
    const ask = (email: string) => asker.client.auth.resendVerification.mutate({ email });
    const answers = await Promise.all(addresses.map(ask));
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    const refusals = await Promise.all(addresses.map((email) => getRefusal(ask(email))));
    expect(new Set(refusals.map((refusal) => refusal.code))).toEqual(new Set(['TOO_MANY_REQUESTS']));
    const after = await counts();
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 0, 0]);
  });

  it('sends five emails an hour to an address at most, and answers alike beyond', async () => {
    const email = newEmail();
    await site.visit().client.auth.signUp.mutate({ email, password: PASSWORD });
    for (let i = 0; i < 12; i++)
      expect(await site.visit().client.auth.resendVerification.mutate({ email })).toEqual({
        resendAfterSeconds: 60,
      });
    expect(await site.mailsTo(email)).toHaveLength(5);
    site.advance(60 * MINUTE_MS + 1000);
    await site.visit().client.auth.resendVerification.mutate({ email });
    expect(await site.mailsTo(email)).toHaveLength(6);
  });
});
