import { totpCode, totpStepAt } from '@tollgate/auth/totp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { PASSWORD, signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

describe('operator.people.resetSignIn', () => {
  let site: TestConsole;
  let operator: SignedIn;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    await confirm(operator);
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const confirm = ({ visitor }: SignedIn) => visitor.client.sessions.confirm.mutate({ password: PASSWORD });
  const getId = async ({ visitor }: SignedIn) =>
    (await visitor.client.session.get.query()).user?.id ?? 'not signed in';

  async function signUpWithBoth() {
    const person = await signUpVerified(site);
    await confirm(person);
    const { secret } = await person.visitor.client.twoFactor.begin.mutate();
    const code = totpCode(secret, totpStepAt(site.deps.clock.nowMs()));
    await person.visitor.client.twoFactor.turnOn.mutate({ code });
    const userId = await getId(person);
    await site.deps.db.sql`
      INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name)
      VALUES (${`pk_${userId}`}, ${userId}, ${Buffer.from(userId)}, 'k', 0, 'Laptop')`;
    return { ...person, userId };
  }
  const reset = (
    { userId, email }: { userId: string; email: string },
    change: Partial<{ twoFactor: boolean; passkeys: boolean; email: string; reason: string }> = {},
  ) =>
    operator.visitor.client.operator.people.resetSignIn.mutate({
      userId,
      email,
      twoFactor: true,
      passkeys: false,
      reason: 'a lost phone',
      ...change,
    });
  const getMembers = async ({ accountId }: SignedIn) =>
    (await operator.visitor.client.operator.accounts.get.query({ accountId })).members;

  it('allows sign-in with only the password again, ends all sessions, and notifies the user', async () => {
    const person = await signUpWithBoth();
    expect(await getMembers(person)).toMatchObject([{ hasTwoFactor: true, passkeys: 1 }]);
    expect(await reset(person)).toEqual({ twoFactor: true, passkeys: 0 });
    expect(await getMembers(person)).toMatchObject([{ hasTwoFactor: false, passkeys: 1 }]);
    expect((await person.visitor.client.session.get.query()).user).toBeNull();
    const { email } = person;
    const entry = await site.visit().client.auth.signIn.mutate({ email, password: PASSWORD });
    expect(entry.next).toBe('console');
    const mail = (await site.mailsTo(email)).find(({ subject }) => subject === 'Your sign-in was reset');
    expect(mail?.text).toContain('the authenticator app and its recovery codes');
    expect(mail?.text).not.toContain('a lost phone');
    const entries = await site.deps.db.sql`
      SELECT actor_user_id AS actor, detail FROM audit_log
      WHERE subject = ${person.userId} AND action = 'user.sign_in_reset'`;
    expect([...entries]).toEqual([
      { actor: await getId(operator), detail: { twoFactor: true, passkeys: 0, reason: 'a lost phone' } },
    ]);
  });

  it('removes only the passkeys on request', async () => {
    const person = await signUpWithBoth();
    expect(await reset(person, { twoFactor: false, passkeys: true })).toEqual({
      twoFactor: false,
      passkeys: 1,
    });
    expect(await getMembers(person)).toMatchObject([{ hasTwoFactor: true, passkeys: 0 }]);
  });

  it('changes nothing without the right email, a reason, or something to remove, and nothing of the operator', async () => {
    const person = await signUpWithBoth();
    const plain = await signUpVerified(site);
    const own = { userId: await getId(operator), email: operator.email };
    const refusals = await Promise.all([
      getRefusal(reset(person, { email: 'other-user@example.com' })),
      getRefusal(reset(person, { reason: ' ' })),
      getRefusal(reset(person, { twoFactor: false })),
      getRefusal(reset({ userId: await getId(plain), email: plain.email })),
      getRefusal(reset(own)),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'BAD_REQUEST'));
    expect((await getRefusal(reset({ userId: 'user_none', email: person.email }))).code).toBe('NOT_FOUND');
    expect(await getMembers(person)).toMatchObject([{ hasTwoFactor: true, passkeys: 1 }]);
    expect((await person.visitor.client.session.get.query()).user).not.toBeNull();
  });
});
