import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createOpenIdSite } from '../testing/openid-site.ts';
import { newEmail, PASSWORD, signUpVerified } from '../testing/people.ts';
import { getRefusal, type Visitor } from '../testing/visitor.ts';

const MINUTE_MS = 60_000;

const stand = await createOpenIdSite();
afterAll(() => stand[Symbol.asyncDispose]());
const { openId, site } = stand;

/** Signs in a new user who has no password. */
async function enterByProvider(cookies?: Map<string, string>) {
  const email = newEmail();
  const person = { subject: `sub-${randomInt(1e9)}`, email, isEmailVerified: true };
  openId.person = person;
  const visitor = site.visit();
  const { url } = await visitor.client.external.start.mutate({ provider: 'oidc' });
  await finish(visitor, await openId.visit(url, cookies));
  return { visitor, email, person };
}

const finish = (visitor: Visitor, { search: query }: URL) =>
  visitor.client.external.finish.mutate({ provider: 'oidc', query });
const isRefused = async ({ client }: Visitor) =>
  (await getRefusal(client.twoFactor.begin.mutate())).reason === 'confirm_identity';

async function startConfirm({ client }: Visitor): Promise<URL> {
  const { url } = await client.external.startConfirm.mutate({ provider: 'oidc', redirect: '/settings' });
  return new URL(url);
}

describe('a user without a password', () => {
  it('re-authenticates by a new sign-in at their provider, and can set up two factors', async () => {
    const { visitor } = await enterByProvider();
    expect(await visitor.client.sessions.confirmationMethods.query()).toEqual({
      hasPassword: false,
      providers: [{ id: 'oidc', label: 'Acme' }],
    });
    expect(await isRefused(visitor)).toBe(true);
    const url = await startConfirm(visitor);
    expect(url.searchParams.get('prompt')).toBe('login');
    const back = await openId.visit(url.href);
    expect(await finish(visitor, back)).toEqual({ next: 'confirmed', redirect: '/settings' });
    expect(await visitor.client.twoFactor.begin.mutate()).toHaveProperty('secret');
    expect((await getRefusal(finish(visitor, back))).reason).toBe('external_expired');
  });

  it('re-authenticates by an emailed code', async () => {
    const { visitor, email } = await enterByProvider();
    const { sessions, settings } = visitor.client;
    await sessions.sendConfirmationCode.mutate();
    const { code } = await site.newestMailTo(email);
    await sessions.confirmByCode.mutate({ code });
    expect((await getRefusal(sessions.confirmByCode.mutate({ code }))).field).toBe('code');
    const next = newEmail();
    await settings.requestEmailChange.mutate({ email: next });
    await settings.confirmEmailChange.mutate({ code: (await site.newestMailTo(next)).code });
    await settings.changePassword.mutate({ newPassword: PASSWORD });
    await site.visit().client.auth.signIn.mutate({ email: next, password: PASSWORD });
    expect(await sessions.confirmationMethods.query()).toEqual({ hasPassword: true, providers: [] });
  });

  it('changes nothing before that', async () => {
    const { visitor } = await enterByProvider();
    const { requestEmailChange, changePassword } = visitor.client.settings;
    for (const change of [
      requestEmailChange.mutate({ email: newEmail() }),
      requestEmailChange.mutate({ email: newEmail(), password: 'none' }),
      changePassword.mutate({ newPassword: PASSWORD }),
      changePassword.mutate({ currentPassword: 'none', newPassword: PASSWORD }),
    ])
      expect(await getRefusal(change)).toMatchObject({ code: 'FORBIDDEN', reason: 'confirm_identity' });
  });
});

describe('the sign-in at the provider', () => {
  it('does not count without its time, which the browser could have left out', async () => {
    const { visitor } = await enterByProvider();
    const url = await startConfirm(visitor);
    url.searchParams.delete('max_age');
    url.searchParams.delete('prompt');
    const refusal = await getRefusal(finish(visitor, await openId.visit(url.href)));
    expect(refusal.reason).toBe('external_not_fresh');
    expect(await isRefused(visitor)).toBe(true);
  });

  it('does not count if it is older than the request', async () => {
    const cookies = new Map<string, string>();
    const { visitor } = await enterByProvider(cookies);
    await wait(1_100);
    site.advance(2 * MINUTE_MS);
    const url = await startConfirm(visitor);
    url.searchParams.delete('prompt');
    url.searchParams.set('max_age', '100000');
    const refusal = await getRefusal(finish(visitor, await openId.visit(url.href, cookies)));
    expect(refusal.reason).toBe('external_not_fresh');
    site.advance(-2 * MINUTE_MS);
  });

  it('does not count with another login of the provider, or for another session', async () => {
    const { visitor } = await enterByProvider();
    const other = await enterByProvider();
    const url = await startConfirm(visitor);
    const asOther = await openId.visit(url.href);
    expect((await getRefusal(finish(visitor, asOther))).reason).toBe('external_other');
    openId.person = other.person;
    const back = await openId.visit((await startConfirm(visitor)).href);
    expect((await getRefusal(finish(other.visitor, back))).reason).toBe('external_expired');
    await visitor.client.auth.signOut.mutate();
    expect((await getRefusal(finish(visitor, back))).reason).toBe('external_expired');
    expect(await isRefused(other.visitor)).toBe(true);
  });

  it('is refused to users with a password, also with a linked login', async () => {
    const { visitor, email } = await signUpVerified(site);
    const { external, sessions } = visitor.client;
    await sessions.confirm.mutate({ password: PASSWORD });
    openId.person = { subject: `sub-${randomInt(1e9)}`, email, isEmailVerified: true };
    const { url } = await external.startLink.mutate({ provider: 'oidc' });
    await finish(visitor, await openId.visit(url));
    expect(await external.linked.query()).toHaveLength(1);
    expect(await sessions.confirmationMethods.query()).toEqual({ hasPassword: true, providers: [] });
    expect(await getRefusal(startConfirm(visitor))).toMatchObject({ code: 'BAD_REQUEST', field: 'password' });
    expect((await getRefusal(sessions.sendConfirmationCode.mutate())).field).toBe('password');
  });

  it('does not count if the user has set a password since', async () => {
    const { visitor, email } = await enterByProvider();
    const { sessions, settings } = visitor.client;
    const back = await openId.visit((await startConfirm(visitor)).href);
    await sessions.sendConfirmationCode.mutate();
    await sessions.confirmByCode.mutate({ code: (await site.newestMailTo(email)).code });
    await settings.changePassword.mutate({ newPassword: PASSWORD });
    expect((await getRefusal(finish(visitor, back))).field).toBe('password');
  });

  it('needs a linked login of the provider', async () => {
    const { visitor } = await enterByProvider();
    const start = visitor.client.external.startConfirm.mutate({ provider: 'google' });
    expect((await getRefusal(start)).code).toBe('NOT_FOUND');
  });
});

describe('the emailed code', () => {
  beforeEach(() => site.advance(2 * MINUTE_MS));

  it('ends after five wrong ones, after fifteen minutes, and with the next code', async () => {
    const { visitor, email } = await enterByProvider();
    const { sendConfirmationCode, confirmByCode } = visitor.client.sessions;
    const refuses = async (code: string) => (await getRefusal(confirmByCode.mutate({ code }))).field;
    await sendConfirmationCode.mutate();
    const { code: guessed } = await site.newestMailTo(email);
    const wrong = guessed === '111111' ? '222222' : '111111';
    for (let attempt = 0; attempt < 5; attempt++) expect(await refuses(wrong)).toBe('code');
    expect(await refuses(guessed)).toBe('code');
    expect((await getRefusal(sendConfirmationCode.mutate())).code).toBe('TOO_MANY_REQUESTS');
    site.advance(16 * MINUTE_MS);
    await sendConfirmationCode.mutate();
    const { code: old } = await site.newestMailTo(email);
    site.advance(2 * MINUTE_MS);
    await sendConfirmationCode.mutate();
    const { code: newest } = await site.newestMailTo(email);
    if (old !== newest) expect(await refuses(old)).toBe('code');
    site.advance(16 * MINUTE_MS);
    expect(await refuses(newest)).toBe('code');
    expect(await isRefused(visitor)).toBe(true);
  });

  it('works only in the browser that asked, and is stored only as a hash', async () => {
    const { visitor, email } = await enterByProvider();
    await visitor.client.sessions.sendConfirmationCode.mutate();
    const { code } = await site.newestMailTo(email);
    const thief = site.visit();
    thief.cookies.set('tollgate_session', visitor.cookies.get('tollgate_session') ?? '');
    expect((await getRefusal(thief.client.sessions.confirmByCode.mutate({ code }))).field).toBe('code');
    const [row] = await site.deps.db.sql`SELECT * FROM one_time_codes WHERE email = ${email}`;
    expect(JSON.stringify(row)).not.toContain(code);
    await visitor.client.sessions.confirmByCode.mutate({ code });
  });
});
