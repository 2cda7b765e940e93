import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { PASSWORD, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('sessions', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  async function withSecondDevice() {
    const person = await signUpVerified(site);
    const other = site.visit({ headers: { 'user-agent': FIREFOX }, remoteAddress: '2001:db8:1:2:3::4' });
    await other.client.auth.signIn.mutate({ email: person.email, password: PASSWORD });
    return { ...person, other };
  }

  it('are listed with this one first, by browser and network, and no one else’s', async () => {
    await signUpVerified(site);
    const { visitor } = await withSecondDevice();
    const { sessions } = await visitor.client.sessions.list.query();
    expect(sessions.map((session) => [session.isThisOne, session.userAgent, session.address])).toEqual([
      [true, null, expect.stringMatching(/^203\.0\./)],
      [false, FIREFOX, '2001:db8:1:2::/64'],
    ]);
  });

  it('end one by one', async () => {
    const { visitor, other, email } = await withSecondDevice();
    const { sessions } = await visitor.client.sessions.list.query();
    await visitor.client.sessions.end.mutate({ id: sessions[1]?.id ?? '' });
    expect((await other.client.session.get.query()).user).toBeNull();
    expect((await visitor.client.session.get.query()).user?.email).toBe(email);
  });

  it('of another person are as if they did not exist', async () => {
    const { visitor } = await withSecondDevice();
    const stranger = await signUpVerified(site);
    const { sessions } = await visitor.client.sessions.list.query();
    const refusal = await getRefusal(
      stranger.visitor.client.sessions.end.mutate({ id: sessions[0]?.id ?? '' }),
    );
    expect(refusal.code).toBe('NOT_FOUND');
    expect((await visitor.client.session.get.query()).user).not.toBeNull();
  });

  it('end all but this one', async () => {
    const { visitor, other, email } = await withSecondDevice();
    await visitor.client.sessions.endOthers.mutate();
    expect((await other.client.session.get.query()).user).toBeNull();
    expect((await visitor.client.session.get.query()).user?.email).toBe(email);
  });

  it('show when they were last seen, every few minutes', async () => {
    const { visitor, other } = await withSecondDevice();
    const getSeen = async () =>
      (await visitor.client.sessions.list.query()).sessions.find((session) => session.userAgent === FIREFOX)
        ?.lastSeenAt;
    const before = await getSeen();
    site.advance(60_000);
    await other.client.session.get.query();
    expect(await getSeen()).toBe(before);
    site.advance(5 * 60_000);
    await other.client.session.get.query();
    expect(Date.parse((await getSeen()) ?? '') - Date.parse(before ?? '')).toBeGreaterThanOrEqual(6 * 60_000);
  });

  it('are confirmed by the password for ten minutes, and by nothing else', async () => {
    const { visitor, other } = await withSecondDevice();
    const getReason = async (client: typeof visitor.client) =>
      client.twoFactor.begin.mutate().then(
        () => null,
        () => getRefusal(client.twoFactor.begin.mutate()).then((refusal) => refusal.reason),
      );
    expect(await getReason(visitor.client)).toBe('confirm_identity');
    const wrong = await getRefusal(visitor.client.sessions.confirm.mutate({ password: 'a guess of it' }));
    expect(wrong).toMatchObject({ code: 'BAD_REQUEST', field: 'password' });
    expect(await getReason(visitor.client)).toBe('confirm_identity');
    await visitor.client.sessions.confirm.mutate({ password: PASSWORD });
    expect(await getReason(visitor.client)).toBeNull();
    expect(await getReason(other.client)).toBe('confirm_identity');
    site.advance(10 * 60_000);
    expect(await getReason(visitor.client)).toBe('confirm_identity');
  });
});
