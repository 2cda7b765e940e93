import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD, signUpVerified } from '../testing/people.ts';
import { getRefusal, type Visitor, type VisitorOptions } from '../testing/visitor.ts';

const HERE: VisitorOptions = { remoteAddress: '127.0.0.1' };
const OPEN = '/dev/open?token=local-tools-token';

/** A browser that has followed the link printed at startup. */
async function visitByLink(site: TestConsole): Promise<Visitor> {
  const visitor = site.visit();
  expect((await visitor.get(OPEN)).headers.get('location')).toBe('/dev/mailbox');
  return visitor;
}

describe('the mailbox', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('shows the mails to a browser that followed the link printed at startup', async () => {
    const email = newEmail();
    await site.visit().client.auth.signUp.mutate({ email, password: PASSWORD });
    const { client } = await visitByLink(site);
    expect((await client.session.get.query()).installation.mailbox).toBe(true);
    const { mails } = await client.mailbox.list.query({});
    const mail = mails.find(({ recipient }) => recipient === email);
    expect(mail?.subject).toBe('Verify your email for Tollgate');
    const opened = await client.mailbox.get.query({ id: mail?.id ?? '' });
    expect(opened.text).toMatch(/\d{6}/);
    expect(opened.html).toContain('<!doctype html>');
    expect(Object.keys(opened).toSorted()).toEqual([
      'createdAt',
      'html',
      'id',
      'recipient',
      'subject',
      'text',
    ]);
  });

  it('pages from the newest to the oldest', async () => {
    await using crowded = await createTestConsole();
    for (let i = 0; i < 53; i++)
      await crowded.visit().client.auth.signUp.mutate({ email: newEmail(), password: PASSWORD });
    const { client } = await visitByLink(crowded);
    const first = await client.mailbox.list.query({});
    const second = await client.mailbox.list.query({ cursor: first.nextCursor });
    expect([first.mails.length, second.mails.length, second.nextCursor]).toEqual([50, 3, null]);
    const ids = [...first.mails, ...second.mails].map((mail) => mail.id);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  it.each<[string, VisitorOptions]>([
    ['from another machine', { remoteAddress: '10.0.0.7' }],
    ['from this machine, as every visitor of a proxy looks', HERE],
    ['from this machine by its name', { ...HERE, headers: { host: 'localhost:3000' } }],
    ['through a proxy on this machine', { ...HERE, headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['through a proxy that names itself otherwise', { ...HERE, headers: { forwarded: 'for=127.0.0.1' } }],
  ])('does not exist for a visitor %s', async (_, options) => {
    const { client } = site.visit(options);
    expect((await client.session.get.query()).installation.mailbox).toBe(false);
    expect((await getRefusal(client.mailbox.list.query({}))).code).toBe('NOT_FOUND');
    expect((await getRefusal(client.mailbox.get.query({ id: 'mail_1' }))).code).toBe('NOT_FOUND');
  });

  it('does not exist for a page that lets its own name point to this machine', async () => {
    const request = new Request('http://rebound.example:3000/trpc/mailbox.list?input=%7B%7D');
    expect((await site.fetch(request, '127.0.0.1')).status).toBe(404);
  });

  it('is open to a signed-in operator from anywhere, and to no other account', async () => {
    const { visitor, email } = await signUpVerified(site);
    expect((await getRefusal(visitor.client.mailbox.list.query({}))).code).toBe('NOT_FOUND');
    await site.deps.db.sql`UPDATE users SET is_operator = true WHERE email = ${email}`;
    expect((await visitor.client.mailbox.list.query({})).mails.length).toBeGreaterThan(0);
  });

  it('opens by no other secret, and the cookie ends after twelve hours', async () => {
    const visitor = site.visit(HERE);
    for (const link of ['/dev/open', '/dev/open?token=', '/dev/open?token=local-tools-toke', '/dev/mailbox'])
      expect((await visitor.get(link)).status).not.toBe(303);
    expect([...visitor.cookies.keys()]).toEqual([]);
    await visitor.get(OPEN);
    expect(visitor.lastSetCookies[0]).toMatch(
      /^tollgate_local_tools=\S+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    );
    await visitor.client.mailbox.list.query({});
    site.advance(12 * 3_600_000 + 1000);
    expect((await getRefusal(visitor.client.mailbox.list.query({}))).code).toBe('NOT_FOUND');
  });

  it('is closed by a start with another secret, and everywhere without one', async () => {
    await using other = await createTestConsole();
    const visitor = await visitByLink(other);
    const { settings } = other.deps;
    settings.localToolsToken = 'of another start';
    expect((await getRefusal(visitor.client.mailbox.list.query({}))).code).toBe('NOT_FOUND');
    const outdated = await visitor.get(OPEN);
    expect([outdated.status, await outdated.text()]).toEqual([
      404,
      expect.stringContaining('prints a new link'),
    ]);
    await using without = await createTestConsole({ localToolsToken: null });
    const stranger = without.visit(HERE);
    expect((await stranger.get(OPEN)).status).not.toBe(303);
    expect([...stranger.cookies.keys()]).toEqual([]);
  });

  it('does not exist where emails are sent', async () => {
    await using sending = await createTestConsole({ hasMailbox: false });
    const visitor = sending.visit(HERE);
    const { client } = visitor;
    await visitor.get(OPEN);
    expect((await client.session.get.query()).installation.mailbox).toBe(false);
    expect((await getRefusal(client.mailbox.list.query({}))).code).toBe('NOT_FOUND');
  });
});
