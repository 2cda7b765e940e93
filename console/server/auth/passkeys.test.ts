import {
  SoftwareAuthenticator,
  type Flaws,
} from '@tollgate/testing/software-authenticator/software-authenticator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { PASSWORD, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal, type Visitor } from '../testing/visitor.ts';

const TICKET = 'tollgate_passkey';
const TICKET_LIFE_MS = 15 * 60_000;
/** The console under test is at 127.0.0.1, for which passkeys are bound to `localhost`. */
const PAGE = { origin: 'http://localhost:3000', rpId: 'localhost' };

describe('passkeys', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const confirm = ({ visitor }: SignedIn) => visitor.client.sessions.confirm.mutate({ password: PASSWORD });

  async function addTo(person: SignedIn, key: SoftwareAuthenticator, page = PAGE, flaws: Flaws = {}) {
    const { passkeys } = person.visitor.client;
    const { challenge } = await passkeys.beginAdding.mutate();
    return passkeys.add.mutate({ name: 'Laptop', response: key.register({ challenge, ...page }, flaws) });
  }

  async function signUpWithKey() {
    const person = await signUpVerified(site);
    await confirm(person);
    const key = new SoftwareAuthenticator();
    await addTo(person, key);
    return { ...person, key };
  }

  async function signIn(key: SoftwareAuthenticator, page = PAGE, flaws: Flaws = {}, browser = site.visit()) {
    const { challenge } = await browser.client.passkeys.beginSignIn.mutate();
    const response = key.assert({ challenge, ...page }, flaws);
    await browser.client.passkeys.signIn.mutate({ response });
    return { browser, response };
  }
  const whoIs = async ({ client }: Visitor) => (await client.session.get.query()).user?.email ?? null;

  it('sign their person in, are listed with their last use, and say so by email when they are added', async () => {
    const { key, email, visitor } = await signUpWithKey();
    expect((await site.newestMailTo(email)).subject).toBe('A passkey was added');
    expect((await visitor.client.passkeys.list.query()).passkeys).toMatchObject([{ lastUsedAt: null }]);
    const { browser } = await signIn(key);
    expect(await whoIs(browser)).toBe(email);
    const [listed] = (await visitor.client.passkeys.list.query()).passkeys;
    expect(listed?.lastUsedAt).not.toBeNull();
  });

  it('accept a challenge once, even with another signature', async () => {
    const { key } = await signUpWithKey();
    const browser = site.visit();
    const { challenge } = await browser.client.passkeys.beginSignIn.mutate();
    const ticket = browser.cookies.get(TICKET) ?? '';
    const response = key.assert({ challenge, ...PAGE });
    await browser.client.passkeys.signIn.mutate({ response });
    for (const replayed of [response, key.assert({ challenge, ...PAGE })]) {
      const thief = site.visit();
      thief.cookies.set(TICKET, ticket);
      const refusal = await getRefusal(thief.client.passkeys.signIn.mutate({ response: replayed }));
      expect(refusal).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(/already used/) });
      expect(await whoIs(thief)).toBeNull();
    }
  });

  it('accept a challenge for 15 minutes, from the same browser, and for the same purpose', async () => {
    const { key, visitor } = await signUpWithKey();
    const browser = site.visit();
    const late = await browser.client.passkeys.beginSignIn.mutate();
    site.advance(TICKET_LIFE_MS + 1);
    const attempt = (who: Visitor, challenge: string) =>
      getRefusal(who.client.passkeys.signIn.mutate({ response: key.assert({ challenge, ...PAGE }) }));
    expect((await attempt(browser, late.challenge)).message).toMatch(/has expired/);
    const { challenge } = await browser.client.passkeys.beginSignIn.mutate();
    expect((await attempt(site.visit(), challenge)).message).toMatch(/has expired/);
    const other = await visitor.client.passkeys.beginConfirmation.mutate();
    expect((await attempt(visitor, other.challenge)).message).toMatch(/has expired/);
    // A valid ticket of this browser, issued for another purpose.
    expect((await attempt(browser, other.challenge)).message).toMatch(/is not registered here/);
  });

  it.each<[string, typeof PAGE, Flaws]>([
    ['another origin', { ...PAGE, origin: 'http://localhost.example:3000' }, {}],
    ['another port', { ...PAGE, origin: 'http://localhost:3001' }, {}],
    ['another relying party', { ...PAGE, rpId: 'example.com' }, {}],
    ['unverified', PAGE, { isVerified: false }],
  ])('are neither added nor taken where the signature is of %s', async (_, page, flaws) => {
    const person = await signUpWithKey();
    const refused = await getRefusal(addTo(person, new SoftwareAuthenticator(), page, flaws));
    expect(refused.message).toMatch(/cannot be used here/);
    expect((await person.visitor.client.passkeys.list.query()).passkeys).toHaveLength(1);
    const browser = site.visit();
    const refusal = await getRefusal(signIn(person.key, page, flaws, browser));
    expect(refusal.message).toMatch(/is not registered here/);
    expect(await whoIs(browser)).toBeNull();
  });

  it('are refused where their counter went back or stood still: someone has copied the authenticator', async () => {
    const { key, email } = await signUpWithKey();
    await signIn(key, PAGE, { counter: 40 });
    for (const counter of [39, 40, 0]) {
      const browser = site.visit();
      expect((await getRefusal(signIn(key, PAGE, { counter }, browser))).code).toBe('BAD_REQUEST');
      expect(await whoIs(browser)).toBeNull();
    }
    const { browser } = await signIn(key, PAGE, { counter: 41 });
    expect(await whoIs(browser)).toBe(email);
  });

  it("do not sign in with another user's credential, and confirm only their user's session", async () => {
    const ada = await signUpWithKey();
    const eve = await signUpWithKey();
    const browser = site.visit();
    const forged = signIn(eve.key, PAGE, { credentialId: ada.key.credentialId }, browser);
    expect((await getRefusal(forged)).code).toBe('BAD_REQUEST');
    expect(await whoIs(browser)).toBeNull();

    const { passkeys, twoFactor } = ada.visitor.client;
    site.advance(TICKET_LIFE_MS);
    const confirmWith = async (key: SoftwareAuthenticator) => {
      const { challenge } = await passkeys.beginConfirmation.mutate();
      await passkeys.confirm.mutate({ response: key.assert({ challenge, ...PAGE }) });
    };
    expect((await getRefusal(confirmWith(eve.key))).code).toBe('BAD_REQUEST');
    expect((await getRefusal(twoFactor.begin.mutate())).reason).toBe('confirm_identity');
    await confirmWith(ada.key);
    expect(await twoFactor.begin.mutate()).toMatchObject({ secret: expect.any(String) });
  });

  it('are registered for one person, and removed by no one else', async () => {
    const ada = await signUpWithKey();
    const eve = await signUpWithKey();
    const copy = new SoftwareAuthenticator(ada.key.credentialId);
    expect((await getRefusal(addTo(eve, copy))).message).toMatch(/already registered/);
    const [passkey] = (await ada.visitor.client.passkeys.list.query()).passkeys;
    const id = passkey?.id ?? '';
    expect((await getRefusal(eve.visitor.client.passkeys.remove.mutate({ id }))).code).toBe('NOT_FOUND');
    await ada.visitor.client.passkeys.remove.mutate({ id });
    expect((await getRefusal(signIn(ada.key))).message).toMatch(/is not registered here/);
  });
});
