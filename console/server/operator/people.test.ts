import { totpCode, totpStepAt } from '@tollgate/auth/totp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { PASSWORD, signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { refusalOf } from '../testing/visitor.ts';

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
  const idOf = async ({ visitor }: SignedIn) =>
    (await visitor.client.session.get.query()).user?.id ?? 'nobody is signed in';

  async function signUpWithBoth() {
    const person = await signUpVerified(site);
    await confirm(person);
    const { secret } = await person.visitor.client.twoFactor.begin.mutate();
    const code = totpCode(secret, totpStepAt(site.deps.clock.nowMs()));
    await person.visitor.client.twoFactor.turnOn.mutate({ code });
    const userId = await idOf(person);
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
  const membersOf = async ({ accountId }: SignedIn) =>
    (await operator.visitor.client.operator.accounts.get.query({ accountId })).members;

  it('lets someone in by their password alone again, signs them out everywhere, and notifies them', async () => {
    const person = await signUpWithBoth();
    expect(await membersOf(person)).toMatchObject([{ hasTwoFactor: true, passkeys: 1 }]);
    expect(await reset(person)).toEqual({ twoFactor: true, passkeys: 0 });
    expect(await membersOf(person)).toMatchObject([{ hasTwoFactor: false, passkeys: 1 }]);
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
      { actor: await idOf(operator), detail: { twoFactor: true, passkeys: 0, reason: 'a lost phone' } },
    ]);
  });

  it('removes the passkeys and leaves the authenticator where that is asked for', async () => {
    const person = await signUpWithBoth();
    expect(await reset(person, { twoFactor: false, passkeys: true })).toEqual({
      twoFactor: false,
      passkeys: 1,
    });
    expect(await membersOf(person)).toMatchObject([{ hasTwoFactor: true, passkeys: 0 }]);
  });

  it('changes nothing without the right email, a reason, or something to remove, and nothing of the operator', async () => {
    const person = await signUpWithBoth();
    const plain = await signUpVerified(site);
    const own = { userId: await idOf(operator), email: operator.email };
    const refusals = await Promise.all([
      refusalOf(reset(person, { email: 'somebody-else@example.com' })),
      refusalOf(reset(person, { reason: ' ' })),
      refusalOf(reset(person, { twoFactor: false })),
      refusalOf(reset({ userId: await idOf(plain), email: plain.email })),
      refusalOf(reset(own)),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'BAD_REQUEST'));
    expect((await refusalOf(reset({ userId: 'user_none', email: person.email }))).code).toBe('NOT_FOUND');
    expect(await membersOf(person)).toMatchObject([{ hasTwoFactor: true, passkeys: 1 }]);
    expect((await person.visitor.client.session.get.query()).user).not.toBeNull();
  });
});
