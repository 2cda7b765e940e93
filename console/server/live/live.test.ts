import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpVerified, type SignedIn } from '../testing/people.ts';
import { readEvents, type EventReader } from '../testing/read-events.ts';

async function listen({ visitor }: SignedIn, accountId: string): Promise<EventReader> {
  const input = encodeURIComponent(JSON.stringify({ accountId }));
  const response = await visitor.get(`/trpc/live.changes?input=${input}`, { accept: 'text/event-stream' });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toContain('no-store');
  return readEvents(response);
}

/** Past the greeting: from here on nothing is missed. */
async function listenFully(person: SignedIn): Promise<EventReader> {
  const events = await listen(person, person.accountId);
  expect(await events.next()).toMatchObject({ event: 'connected' });
  expect(await events.next()).toEqual({ event: 'message', data: '"listening"' });
  return events;
}

/** The next change, except reports that changes may have been missed. */
async function nextChange(events: EventReader): Promise<string | null> {
  for (;;) {
    const event = await events.next();
    if (event === null) return null;
    if (event.data !== '"everything"') return event.data;
  }
}

describe('live.changes', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('notifies only the pages of an account when one of its keys is created or revoked', async () => {
    const owner = await signUpVerified(site);
    const stranger = await signUpVerified(site);
    const events = await listenFully(owner);
    const theirs = await listenFully(stranger);
    const { key } = await createKeyFixture(site.deps.db, owner.accountId);
    expect(await nextChange(events)).toBe('"keys"');
    const startedAtMs = performance.now();
    await owner.visitor.client.keys.revoke.mutate({ accountId: owner.accountId, keyId: key.id });
    expect(await nextChange(events)).toBe('"keys"');
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    await createKeyFixture(site.deps.db, stranger.accountId);
    // If the stranger received changes of the owner's keys, they would have come first.
    expect(await nextChange(theirs)).toBe('"keys"');
    await Promise.all([events.leave(), theirs.leave()]);
  });

  it('combines many changes into few events', async () => {
    const owner = await signUpVerified(site);
    await Promise.all(Array.from({ length: 40 }, () => createKeyFixture(site.deps.db, owner.accountId)));
    const events = await listenFully(owner);
    await site.deps.db.sql`UPDATE api_keys SET tags = ARRAY['prod'] WHERE account_id = ${owner.accountId}`;
    await site.deps.db.sql`UPDATE accounts SET name = 'Other' WHERE id = ${owner.accountId}`;
    let count = 0;
    while ((await nextChange(events)) === '"keys"') count += 1;
    expect(count).toBeLessThanOrEqual(2);
    await events.leave();
  });

  it('is not found by strangers, and needs a session', async () => {
    const owner = await signUpVerified(site);
    const stranger = await signUpVerified(site);
    const refused = await listen(stranger, owner.accountId);
    await refused.next();
    expect((await refused.next())?.data).toContain('"NOT_FOUND"');
    expect(await refused.next()).toBeNull();
    const signedOut = await listen({ ...owner, visitor: site.visit() }, owner.accountId);
    await signedOut.next();
    expect((await signedOut.next())?.data).toContain('"UNAUTHORIZED"');
  });

  it('ends when the user is no longer a member', async () => {
    const owner = await signUpVerified(site);
    const member = await joinAs(site, 'member', owner.accountId);
    const events = await listenFully(member);
    const { user } = await member.visitor.client.session.get.query();
    await site.deps.db
      .sql`DELETE FROM memberships WHERE user_id = ${user?.id ?? ''} AND account_id = ${owner.accountId}`;
    // Earlier changes may still arrive.
    let change = await nextChange(events);
    while (change !== null && !change.includes('"NOT_FOUND"')) change = await nextChange(events);
    expect(change).toContain('"NOT_FOUND"');
  });

  it('ends with its session, however that ended', async () => {
    const owner = await signUpVerified(site);
    const events = await listenFully(owner);
    await owner.visitor.client.auth.signOut.mutate();
    expect(await nextChange(events)).toBeNull();
  });

  it('lets a session open only so many', async () => {
    const owner = await signUpVerified(site);
    const input = encodeURIComponent(JSON.stringify({ accountId: owner.accountId }));
    const open = () => owner.visitor.get(`/trpc/live.changes?input=${input}`);
    const first = await Promise.all(Array.from({ length: 24 }, open));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await open()).status).toBe(429);
    await first[0]?.body?.cancel();
    const next = await open();
    expect(next.status).toBe(200);
    await Promise.all([...first.slice(1), next].map(async (response) => response.body?.cancel()));
  });

  it('ends when the server stops', async () => {
    await using stopping = await createTestConsole();
    const owner = await signUpVerified(stopping);
    const events = await listenFully(owner);
    await stopping.deps.live.close();
    expect(await nextChange(events)).toBeNull();
  });
});
