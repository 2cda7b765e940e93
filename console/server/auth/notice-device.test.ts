import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD, signUpVerified } from '../testing/people.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let site: TestConsole;
beforeAll(async () => {
  site = await createTestConsole();
});
afterAll(() => site[Symbol.asyncDispose]());

const getEmails = async (email: string) =>
  (await site.mailsTo(email)).filter(({ subject }) => subject === 'A new device signed in');
const visitFrom = (remoteAddress: string, userAgent = FIREFOX) =>
  site.visit({ remoteAddress, headers: { 'user-agent': userAgent } });

it('emails about a sign-in only if the browser is new to the login', async () => {
  const email = newEmail();
  const { visitor } = await signUpVerified(site, email);
  const again = () => visitor.client.auth.signIn.mutate({ email, password: PASSWORD });
  await again();
  expect(await getEmails(email)).toHaveLength(0);

  const stranger = visitFrom('198.51.100.7');
  await stranger.client.auth.signIn.mutate({ email, password: PASSWORD });
  const [mail, ...others] = await getEmails(email);
  expect(others).toHaveLength(0);
  expect(mail?.text).toContain('Firefox on Linux signed in to your Tollgate account from 198.51.100.7');

  // Without its cookie it is known from the same place, and by its cookie from anywhere.
  await visitFrom('198.51.100.7').client.auth.signIn.mutate({ email, password: PASSWORD });
  const moved = visitFrom('198.51.100.99', 'another browser');
  for (const [name, value] of stranger.cookies) moved.cookies.set(name, value);
  await moved.client.auth.signIn.mutate({ email, password: PASSWORD });
  expect(await getEmails(email)).toHaveLength(1);
  await visitFrom('198.51.100.8').client.auth.signIn.mutate({ email, password: PASSWORD });
  expect(await getEmails(email)).toHaveLength(2);
});

it('lists sign-ins and other login events only to their user', async () => {
  const person = await signUpVerified(site);
  const other = await signUpVerified(site);
  await visitFrom('198.51.100.20').client.auth.signIn.mutate({ email: person.email, password: PASSWORD });
  await person.visitor.client.sessions.confirm.mutate({ password: PASSWORD });
  const { events, nextCursor } = await person.visitor.client.settings.securityEvents.query({});
  expect(events.map(({ action, isNewDevice }) => [action, isNewDevice])).toEqual([
    ['user.confirmed', false],
    ['user.signed_in', true],
    ['user.signed_in', false],
    ['user.email_verified', false],
  ]);
  expect(events[1]).toMatchObject({ address: '198.51.100.20', userAgent: FIREFOX, isOwn: true });
  expect(nextCursor).toBeNull();
  const theirs = await other.visitor.client.settings.securityEvents.query({});
  expect(theirs.events.map(({ id }) => id)).not.toEqual(expect.arrayContaining(events.map(({ id }) => id)));
});

it("lists an operator's changes of a login to its user, not to the operator", async () => {
  const person = await signUpVerified(site);
  const operator = await signUpVerified(site);
  const { sql } = site.deps.db;
  await sql`
    INSERT INTO audit_log (id, actor_user_id, action, subject)
    SELECT 'aud_of_an_operator', o.id, 'user.second_factor_reset', p.id FROM users o, users p
    WHERE o.email = ${operator.email} AND p.email = ${person.email}`;
  const sent = async ({ visitor }: typeof person) =>
    (await visitor.client.settings.securityEvents.query({})).events.filter(
      ({ id }) => id === 'aud_of_an_operator',
    );
  expect(await sent(person)).toMatchObject([{ isOwn: false }]);
  expect(await sent(operator)).toEqual([]);
});
