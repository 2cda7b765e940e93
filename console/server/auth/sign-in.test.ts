import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD, signUpUnverified, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

describe('auth.signIn', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('opens a session, also before the email is verified', async () => {
    const verified = await signUpVerified(site);
    const waiting = await signUpUnverified(site);
    const visitor = site.visit();
    expect(await visitor.client.auth.signIn.mutate({ email: verified.email, password: PASSWORD })).toEqual({
      next: 'console',
      emailVerified: true,
    });
    expect((await visitor.client.session.get.query()).user?.email).toBe(verified.email);
    expect(await visitor.client.auth.signIn.mutate({ email: waiting.email, password: PASSWORD })).toEqual({
      next: 'console',
      emailVerified: false,
    });
  });

  it('answers alike for a wrong password and for an address that no one has', async () => {
    const { email } = await signUpVerified(site);
    const { client } = site.visit();
    const wrong = await getRefusal(client.auth.signIn.mutate({ email, password: 'not my password' }));
    const unknown = await getRefusal(
      client.auth.signIn.mutate({ email: newEmail(), password: 'not my password' }),
    );
    expect(wrong).toMatchObject({ code: 'BAD_REQUEST', reason: 'wrong_credentials', field: null });
    expect(unknown).toEqual(wrong);
  });

  it('ends the session that the browser had before', async () => {
    const first = await signUpVerified(site);
    const before = first.visitor.cookies.get('tollgate_session');
    await first.visitor.client.auth.signIn.mutate({ email: first.email, password: PASSWORD });
    const after = first.visitor.cookies.get('tollgate_session');
    expect(after).not.toBe(before);
    expect(await site.deps.sessions.validate(before ?? '')).toBeNull();
  });

  it('stops a browser after ten wrong passwords, and no one elsewhere', async () => {
    const { email } = await signUpVerified(site);
    const attacker = site.visit();
    for (let i = 0; i < 10; i++) {
      const refusal = await getRefusal(
        attacker.client.auth.signIn.mutate({ email, password: `wrong password ${i}` }),
      );
      expect(refusal.reason).toBe('wrong_credentials');
    }
    const stopped = await getRefusal(attacker.client.auth.signIn.mutate({ email, password: PASSWORD }));
    expect(stopped.code).toBe('TOO_MANY_REQUESTS');
    expect(stopped.retryAfterSeconds).toBeGreaterThan(0);
    await site.visit().client.auth.signIn.mutate({ email, password: PASSWORD });
    site.advance((stopped.retryAfterSeconds ?? 0) * 1000);
    await attacker.client.auth.signIn.mutate({ email, password: PASSWORD });
  });

  it('stops an address that no one has in the same way', async () => {
    const attacker = site.visit();
    const email = newEmail();
    for (let i = 0; i < 10; i++)
      await getRefusal(attacker.client.auth.signIn.mutate({ email, password: 'wrong' }));
    const stopped = await getRefusal(attacker.client.auth.signIn.mutate({ email, password: 'wrong' }));
    expect(stopped.code).toBe('TOO_MANY_REQUESTS');
  });

  it('counts guesses that are sent together', async () => {
    const { email } = await signUpVerified(site);
    const attacker = site.visit();
    const refusals = await Promise.all(
      Array.from({ length: 15 }, (_, i) =>
        getRefusal(attacker.client.auth.signIn.mutate({ email, password: `wrong password ${i}` })),
      ),
    );
    expect(refusals.filter((refusal) => refusal.reason === 'wrong_credentials')).toHaveLength(10);
    expect(refusals.filter((refusal) => refusal.code === 'TOO_MANY_REQUESTS')).toHaveLength(5);
  });

  it('forgets the wrong ones once the right one came', async () => {
    const { email } = await signUpVerified(site);
    const visitor = site.visit();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 8; i++)
        await getRefusal(visitor.client.auth.signIn.mutate({ email, password: 'wrong' }));
      const signedIn = await visitor.client.auth.signIn.mutate({ email, password: PASSWORD });
      expect(signedIn.next).toBe('console');
    }
  });
});

describe('signing out', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('ends only this session and deletes the cookie', async () => {
    const { email, visitor } = await signUpVerified(site);
    const other = site.visit();
    await other.client.auth.signIn.mutate({ email, password: PASSWORD });
    const id = visitor.cookies.get('tollgate_session');
    await visitor.client.auth.signOut.mutate();
    expect(visitor.cookies.has('tollgate_session')).toBe(false);
    expect(await site.deps.sessions.validate(id ?? '')).toBeNull();
    expect((await other.client.session.get.query()).user?.email).toBe(email);
  });

  it('succeeds if the session has already ended', async () => {
    const { visitor } = await signUpVerified(site);
    await site.deps.db.sql`DELETE FROM sessions`;
    expect(await visitor.client.auth.signOut.mutate()).toEqual({});
    expect(visitor.cookies.has('tollgate_session')).toBe(false);
  });

  it('everywhere ends all sessions of this person and of no one else', async () => {
    const { email, visitor } = await signUpVerified(site);
    const bystander = await signUpVerified(site);
    const other = site.visit();
    await other.client.auth.signIn.mutate({ email, password: PASSWORD });
    await visitor.client.auth.signOutEverywhere.mutate();
    expect((await visitor.client.session.get.query()).user).toBeNull();
    expect((await other.client.session.get.query()).user).toBeNull();
    expect((await bystander.visitor.client.session.get.query()).user?.email).toBe(bystander.email);
    const entries = await site.deps.db.sql`SELECT 1 FROM audit_log WHERE action = 'user.sessions_ended'`;
    expect(entries).toHaveLength(1);
  });
});
