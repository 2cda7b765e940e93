import { randomInt } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createOpenIdSite } from '../testing/openid-site.ts';
import { newEmail, PASSWORD, signUpUnverified, signUpVerified } from '../testing/people.ts';
import { plant } from '../testing/planted-people.ts';
import { getRefusal, type Visitor } from '../testing/visitor.ts';

const stand = await createOpenIdSite();
afterAll(() => stand[Symbol.asyncDispose]());
const { openId, site } = stand;

async function invite(email: string) {
  const owner = await plant(site);
  const { accountId } = owner;
  await owner.visitor.client.team.invite.mutate({ accountId, email, role: 'member' });
  const { token } = await site.newestMailTo(email);
  return { owner, accountId, token, joined: { accountId, accountName: owner.email } };
}

async function goToProvider(visitor: Visitor, person: { email: string; isEmailVerified: boolean }) {
  openId.person = { subject: `sub-${randomInt(1e9)}`, ...person };
  const { url } = await visitor.client.external.start.mutate({ provider: 'oidc' });
  const { search: query } = await openId.visit(url);
  return visitor.client.external.finish.mutate({ provider: 'oidc', query });
}

const getSession = (visitor: Visitor) => visitor.client.session.get.query();

describe('an invitee without a login', () => {
  it('joins with a password and one email, on every device', async () => {
    const email = newEmail();
    const { accountId, token, joined, owner } = await invite(email);
    const visitor = site.visit();
    expect(await visitor.client.team.invitation.query({ token })).toMatchObject({ hasLogin: false });
    const entry = await visitor.client.team.joinWithPassword.mutate({ token, password: PASSWORD });
    expect(entry).toEqual({ next: 'console', emailVerified: true, joined });
    expect(await site.mailsTo(email)).toHaveLength(1);
    const session = await getSession(visitor);
    expect(session.user).toMatchObject({ email, emailVerified: true });
    expect(session.lastAccountId).toBe(accountId);

    const elsewhere = site.visit();
    await elsewhere.client.auth.signIn.mutate({ email, password: PASSWORD });
    expect((await getSession(elsewhere)).lastAccountId).toBe(accountId);
    expect((await site.newestMailTo(owner.email)).text).toContain(`${email} is now a member`);
  });

  it('cannot use the link a second time', async () => {
    const { token } = await invite(newEmail());
    const join = () => site.visit().client.team.joinWithPassword.mutate({ token, password: PASSWORD });
    const [first, second] = await Promise.allSettled([join(), join()]);
    expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await getRefusal(join())).code).toBe('NOT_FOUND');
    expect((await getRefusal(site.visit().client.team.joinAtSignIn.mutate({ token }))).code).toBe(
      'NOT_FOUND',
    );
  });

  it('chooses a safe password before anything is created', async () => {
    const email = newEmail();
    const { token } = await invite(email);
    const join = site.visit().client.team.joinWithPassword.mutate({ token, password: email });
    expect(await getRefusal(join)).toMatchObject({ code: 'BAD_REQUEST', field: 'password' });
    expect(await site.deps.db.sql`SELECT id FROM users WHERE email = ${email}`).toHaveLength(0);
  });

  it('joins if sign-up is closed, and after the link has ended does not', async () => {
    const { token } = await invite(newEmail());
    const late = await invite(newEmail());
    await site.deps.db.sql`UPDATE installation_settings SET sign_up = 'closed'`;
    try {
      const join = site.visit().client.team.joinWithPassword.mutate({ token, password: PASSWORD });
      expect(await join).toMatchObject({ next: 'console' });
    } finally {
      await site.deps.db.sql`UPDATE installation_settings SET sign_up = 'open'`;
    }
    site.advance(8 * 86_400_000);
    const join = site.visit().client.team.joinWithPassword.mutate({ token: late.token, password: PASSWORD });
    expect((await getRefusal(join)).code).toBe('NOT_FOUND');
  });

  it('takes an address from a stranger who signed up with it and never verified it', async () => {
    const email = newEmail();
    const stranger = await signUpUnverified(site, email);
    const { token } = await invite(email);
    const password = 'eleven boats near the lake';
    await site.visit().client.team.joinWithPassword.mutate({ token, password });
    expect((await getSession(stranger.visitor)).user).toBeNull();
    const signIn = site.visit().client.auth.signIn.mutate({ email, password: PASSWORD });
    expect(await getRefusal(signIn)).toMatchObject({ reason: 'wrong_credentials' });
  });

  it('joins through a provider, under the invited address', async () => {
    const email = newEmail();
    const { token, joined } = await invite(email);
    const visitor = site.visit();
    await visitor.client.team.joinAtSignIn.mutate({ token });
    const atProvider = { email, isEmailVerified: true };
    expect(await goToProvider(visitor, atProvider)).toMatchObject({ next: 'console', joined });
    expect((await getSession(visitor)).user).toMatchObject({ email, emailVerified: true });
    expect(await site.mailsTo(email)).toHaveLength(1);
  });

  it.each([
    ['another address', () => ({ email: newEmail(), isEmailVerified: true })],
    ['an address that it has not verified', (email: string) => ({ email, isEmailVerified: false })],
  ])('gets no login through a provider that knows %s', async (_name, getPerson) => {
    const email = newEmail();
    const { token } = await invite(email);
    const visitor = site.visit();
    await visitor.client.team.joinAtSignIn.mutate({ token });
    const refusal = await getRefusal(goToProvider(visitor, getPerson(email)));
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', reason: 'external_unverified' });
    expect(await visitor.client.team.invitation.query({ token })).toMatchObject({ hasLogin: false });
    // The same person signs up next without the invitation.
    const outcome = await goToProvider(visitor, { email: newEmail(), isEmailVerified: true });
    expect(outcome).not.toHaveProperty('joined');
  });
});

describe('an invitee with a login', () => {
  it('joins by signing in, and lands there on every device', async () => {
    const person = await signUpVerified(site);
    const { accountId, token, joined } = await invite(person.email);
    const visitor = site.visit();
    expect(await visitor.client.team.invitation.query({ token })).toMatchObject({ hasLogin: true });
    await visitor.client.team.joinAtSignIn.mutate({ token });
    const credentials = { email: person.email, password: PASSWORD };
    expect(await visitor.client.auth.signIn.mutate(credentials)).toMatchObject({ joined });
    // The other device has been signed in all along.
    expect((await getSession(person.visitor)).lastAccountId).toBe(accountId);
    expect(await site.visit().client.auth.signIn.mutate(credentials)).not.toHaveProperty('joined');
  });

  it('never gets in by the link alone', async () => {
    const person = await signUpVerified(site);
    const { token } = await invite(person.email);
    const visitor = site.visit();
    const join = visitor.client.team.joinWithPassword.mutate({ token, password: 'eleven boats near a lake' });
    expect(await getRefusal(join)).toMatchObject({ code: 'BAD_REQUEST', reason: 'has_login' });
    await visitor.client.team.joinAtSignIn.mutate({ token });
    const outcome = await goToProvider(visitor, { email: person.email, isEmailVerified: true });
    expect(outcome).toEqual({ next: 'confirm', email: person.email, byPassword: true });
    expect((await getSession(visitor)).user).toBeNull();
    const confirmed = await visitor.client.external.confirm.mutate({ password: PASSWORD });
    expect(confirmed).toHaveProperty('joined');
  });

  it('links no provider that knows another address', async () => {
    const person = await signUpVerified(site);
    const { token } = await invite(person.email);
    const visitor = site.visit();
    await visitor.client.team.joinAtSignIn.mutate({ token });
    const arrival = goToProvider(visitor, { email: newEmail(), isEmailVerified: true });
    expect(await getRefusal(arrival)).toMatchObject({ reason: 'external_unverified' });
    const confirm = visitor.client.external.confirm.mutate({ password: PASSWORD });
    expect(await getRefusal(confirm)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('joins nothing by signing in to another login', async () => {
    const other = await signUpVerified(site);
    const { token } = await invite(newEmail());
    const visitor = site.visit();
    await visitor.client.team.joinAtSignIn.mutate({ token });
    const entry = await visitor.client.auth.signIn.mutate({ email: other.email, password: PASSWORD });
    expect(entry).not.toHaveProperty('joined');
    expect((await getSession(visitor)).accounts).toHaveLength(1);
    expect((await visitor.client.team.invitation.query({ token })).state).toBe('open');
  });
});

describe('the account that opens', () => {
  it('is the one opened last, and only an account of the login', async () => {
    const owner = await plant(site);
    const member = await plant(site, { joins: { accountId: owner.accountId, role: 'member' } });
    const { client } = member.visitor;
    const { accounts, lastAccountId } = await client.session.get.query();
    expect(lastAccountId).toBeNull();
    for (const { id } of accounts) {
      await client.session.chooseAccount.mutate({ accountId: id });
      expect((await client.session.get.query()).lastAccountId).toBe(id);
    }
    const stranger = await plant(site);
    const choose = client.session.chooseAccount.mutate({ accountId: stranger.accountId });
    expect(await getRefusal(choose)).toMatchObject({ reason: 'membership' });
  });
});
