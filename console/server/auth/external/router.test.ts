import { randomInt } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderPerson } from '../../testing/openid-server.ts';
import { createOpenIdSite } from '../../testing/openid-site.ts';
import { newEmail, PASSWORD, signUpUnverified, signUpVerified } from '../../testing/people.ts';
import { getRefusal, type Visitor } from '../../testing/visitor.ts';

const stand = await createOpenIdSite();
afterAll(() => stand[Symbol.asyncDispose]());
const { openId, site } = stand;

/** Someone new at the provider. */
function comeAs(rest: Partial<ProviderPerson> = {}) {
  const email = rest.email ?? newEmail();
  openId.person = { subject: `sub-${randomInt(1e9)}`, email, isEmailVerified: true, ...rest };
  return email;
}

async function goAndComeBack(visitor: Visitor): Promise<URL> {
  const { url } = await visitor.client.external.start.mutate({ provider: 'oidc', redirect: '/billing' });
  return openId.visit(url);
}

async function signIn(visitor: Visitor) {
  const { search } = await goAndComeBack(visitor);
  return visitor.client.external.finish.mutate({ provider: 'oidc', query: search });
}

const whoIs = async (visitor: Visitor) => (await visitor.client.session.get.query()).user;

describe('signing in with an OpenID provider', () => {
  it('makes a person with a verified email and an account, and signs them in', async () => {
    const email = comeAs();
    const visitor = site.visit();
    expect(await signIn(visitor)).toEqual({ next: 'console', emailVerified: true, redirect: '/billing' });
    const { user, accounts } = await visitor.client.session.get.query();
    expect(user).toMatchObject({ email, emailVerified: true, isOperator: false });
    expect(accounts).toMatchObject([{ role: 'owner' }]);
    expect(await visitor.client.external.linked.query()).toMatchObject([{ provider: 'oidc', email }]);
  });

  it('knows the same person again, also under another address', async () => {
    const email = comeAs({ subject: 'constant' });
    const first = site.visit();
    await signIn(first);
    comeAs({ subject: 'constant' });
    const second = site.visit();
    expect(await signIn(second)).toMatchObject({ next: 'console' });
    expect((await whoIs(second))?.email).toBe(email);
  });

  it('gives a password to no one: neither a guess nor the sentinel signs them in', async () => {
    const email = comeAs();
    await signIn(site.visit());
    for (const password of ['none', PASSWORD])
      expect(await getRefusal(site.visit().client.auth.signIn.mutate({ email, password }))).toMatchObject({
        reason: 'wrong_credentials',
      });
  });

  it('refuses a person whose email the provider has not verified', async () => {
    const email = comeAs({ isEmailVerified: false });
    const visitor = site.visit();
    expect(await getRefusal(signIn(visitor))).toMatchObject({ reason: 'external_unverified' });
    expect(await whoIs(visitor)).toBeNull();
    const rows = await site.deps.db.sql`SELECT id FROM users WHERE email = ${email}`;
    expect(rows).toHaveLength(0);
  });

  it('reports that the user denied the sign-in', async () => {
    openId.person = null;
    expect(await getRefusal(signIn(site.visit()))).toMatchObject({ reason: 'external_denied' });
  });

  it('rejects new users if sign-up is closed, but not existing ones', async () => {
    comeAs({ subject: 'regular' });
    await signIn(site.visit());
    await site.deps.db.sql`UPDATE installation_settings SET sign_up = 'closed'`;
    try {
      expect(await signIn(site.visit())).toMatchObject({ next: 'console' });
      comeAs();
      expect(await getRefusal(signIn(site.visit()))).toMatchObject({ reason: 'sign_up_closed' });
    } finally {
      await site.deps.db.sql`UPDATE installation_settings SET sign_up = 'open'`;
    }
  });
});

describe('the way back from a provider', () => {
  it('leads nowhere in another browser, with another state, a second time, or too late', async () => {
    comeAs();
    const victim = site.visit();
    const stranger = site.visit();
    const { search } = await goAndComeBack(stranger);
    const finish = (visitor: Visitor, query: string) =>
      getRefusal(visitor.client.external.finish.mutate({ provider: 'oidc', query }));
    expect(await finish(victim, search)).toMatchObject({ reason: 'external_expired' });

    const other = new URLSearchParams((await goAndComeBack(victim)).search);
    other.set('state', 'another');
    expect(await finish(victim, `?${other.toString()}`)).toMatchObject({ reason: 'external_failed' });

    const { search: once } = await goAndComeBack(victim);
    await victim.client.external.finish.mutate({ provider: 'oidc', query: once });
    expect(await finish(victim, once)).toMatchObject({ reason: 'external_expired' });

    const slow = site.visit();
    const { search: late } = await goAndComeBack(slow);
    site.advance(16 * 60_000);
    expect(await finish(slow, late)).toMatchObject({ reason: 'external_expired' });
  });

  it('keeps codes and tokens out of the log', async () => {
    comeAs();
    const visitor = site.visit();
    const back = await goAndComeBack(visitor);
    back.searchParams.set('state', 'another');
    await getRefusal(visitor.client.external.finish.mutate({ provider: 'oidc', query: back.search }));
    const code = back.searchParams.get('code') ?? '';
    expect(code).not.toBe('');
    expect(site.logLines.join('')).not.toContain(code);
  });

  it('requires the authenticator code of a login that has one', async () => {
    comeAs();
    const visitor = site.visit();
    await signIn(visitor);
    const user = await whoIs(visitor);
    await site.deps.db.sql`INSERT INTO totp_secrets (user_id, secret_sealed, confirmed_at)
      VALUES (${user?.id ?? ''}, ${site.deps.sealer.seal('x', `totp:${user?.id ?? ''}`)}, now())`;
    const again = site.visit();
    expect(await signIn(again)).toMatchObject({ next: 'second_factor' });
    expect(await whoIs(again)).toBeNull();
  });
});

describe('a login with the same email', () => {
  beforeEach(() => {
    // Emails to an address are counted by the minute.
    site.advance(61_000);
  });

  it('is opened with the password once, and without it afterwards', async () => {
    const { email } = await signUpVerified(site);
    comeAs({ email });
    const visitor = site.visit();
    expect(await signIn(visitor)).toEqual({ next: 'confirm', email, byPassword: true });
    expect(await whoIs(visitor)).toBeNull();
    expect(
      await getRefusal(visitor.client.external.confirm.mutate({ password: 'a wrong guess' })),
    ).toMatchObject({
      field: 'password',
    });
    expect(await visitor.client.external.confirm.mutate({ password: PASSWORD })).toMatchObject({
      next: 'console',
      redirect: '/billing',
    });
    expect((await whoIs(visitor))?.email).toBe(email);
    const subjects = (await site.mailsTo(email)).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringContaining('Acme can sign you in'));
    expect(await signIn(site.visit())).toMatchObject({ next: 'console' });
  });

  it('is confirmed with a code that is emailed to its owner', async () => {
    const { email } = await signUpVerified(site);
    comeAs({ email });
    const visitor = site.visit();
    await signIn(visitor);
    await visitor.client.external.sendConfirmation.mutate();
    expect(await getRefusal(visitor.client.external.confirm.mutate({ code: '000000' }))).toMatchObject({
      field: 'code',
    });
    const { code } = await site.newestMailTo(email);
    expect(await visitor.client.external.confirm.mutate({ code })).toMatchObject({ next: 'console' });
    // The ticket is spent.
    expect(await getRefusal(visitor.client.external.confirm.mutate({ code }))).toMatchObject({
      reason: 'external_expired',
    });
  });

  it('removes what was set before the address was verified, because a stranger may have set it', async () => {
    const stranger = await signUpUnverified(site);
    comeAs({ email: stranger.email });
    const owner = site.visit();
    expect(await signIn(owner)).toMatchObject({ next: 'confirm', byPassword: false });
    expect(await getRefusal(owner.client.external.confirm.mutate({ password: PASSWORD }))).toMatchObject({
      field: 'password',
    });
    await owner.client.external.sendConfirmation.mutate();
    const { code } = await site.newestMailTo(stranger.email);
    expect(await owner.client.external.confirm.mutate({ code })).toMatchObject({
      next: 'console',
      emailVerified: true,
    });
    expect(await whoIs(stranger.visitor)).toBeNull();
    const { email } = stranger;
    expect(
      await getRefusal(site.visit().client.auth.signIn.mutate({ email, password: PASSWORD })),
    ).toMatchObject({ reason: 'wrong_credentials' });
  });
});

describe('linking a provider', () => {
  async function confirmed() {
    const person = await signUpVerified(site);
    const { user } = await person.visitor.client.session.get.query();
    await site.deps.db
      .sql`UPDATE sessions SET confirmed_at = ${new Date(site.deps.clock.nowMs()).toISOString()}
      WHERE user_id = ${user?.id ?? ''}`;
    return person;
  }
  async function link(visitor: Visitor) {
    const { url } = await visitor.client.external.startLink.mutate({ provider: 'oidc' });
    const { search } = await openId.visit(url);
    return visitor.client.external.finish.mutate({ provider: 'oidc', query: search });
  }

  it('requires re-authentication', async () => {
    const { visitor } = await signUpVerified(site);
    expect(await getRefusal(visitor.client.external.startLink.mutate({ provider: 'oidc' }))).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'confirm_identity',
    });
  });

  it('links and unlinks an identity, whatever its address', async () => {
    const { visitor, email } = await confirmed();
    comeAs();
    expect(await link(visitor)).toEqual({ next: 'linked' });
    const again = site.visit();
    await signIn(again);
    expect((await whoIs(again))?.email).toBe(email);
    const [identity] = await visitor.client.external.linked.query();
    const stranger = await confirmed();
    expect(
      await getRefusal(stranger.visitor.client.external.unlink.mutate({ id: identity?.id ?? '' })),
    ).toMatchObject({ code: 'NOT_FOUND' });
    await visitor.client.external.unlink.mutate({ id: identity?.id ?? '' });
    expect(await visitor.client.external.linked.query()).toEqual([]);
  });

  it('is refused for an identity that is linked to another login', async () => {
    comeAs({ subject: 'taken' });
    await signIn(site.visit());
    const { visitor } = await confirmed();
    expect(await getRefusal(link(visitor))).toMatchObject({ reason: 'external_taken' });
  });

  it('never removes the last sign-in method', async () => {
    comeAs();
    const visitor = site.visit();
    await signIn(visitor);
    const user = await whoIs(visitor);
    await site.deps.db
      .sql`UPDATE sessions SET confirmed_at = ${new Date(site.deps.clock.nowMs()).toISOString()}
      WHERE user_id = ${user?.id ?? ''}`;
    const [identity] = await visitor.client.external.linked.query();
    expect(await getRefusal(visitor.client.external.unlink.mutate({ id: identity?.id ?? '' }))).toMatchObject(
      {
        reason: 'last_way_in',
      },
    );
  });
});
