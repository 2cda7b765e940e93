import { MAX_VIEWS } from '@tollgate/core/requests/saved-view';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

describe('saved views', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const FILTER = { status: '4xx', range: '24h' } as const;

  async function openTeam() {
    const owner = await signUpVerified(site);
    const { accountId } = owner;
    const member = await joinAs(site, 'member', accountId);
    const viewer = await joinAs(site, 'viewer', accountId);
    const clients = [owner, member, viewer].map(({ visitor }) => visitor.client.views);
    const [own, members, viewers] = clients;
    if (own === undefined || members === undefined || viewers === undefined) throw new Error('No clients');
    const names = async (views: typeof own) =>
      (await views.list.query({ accountId })).views.map(({ name, canChange }) => [name, canChange]);
    return { accountId, own, members, viewers, names };
  }

  it('belong to one person, or are shared with the account', async () => {
    const { accountId, own, members, viewers, names } = await openTeam();
    await members.create.mutate({ accountId, name: 'Mine', isShared: false, filter: FILTER });
    await members.create.mutate({ accountId, name: 'Ours', isShared: true, filter: FILTER });
    expect(await names(members)).toEqual([
      ['Mine', true],
      ['Ours', true],
    ]);
    expect(await names(viewers)).toEqual([['Ours', false]]);
    expect(await names(own)).toEqual([['Ours', true]]);
    const { views } = await viewers.list.query({ accountId });
    expect(views[0]).toMatchObject({ isShared: true, filter: FILTER });
    expect(views[0]?.createdBy).toContain('@');
  });

  it('are renamed, changed and deleted by their creator and by admins, which is recorded if they are shared', async () => {
    const { accountId, own, members, viewers, names } = await openTeam();
    const { id } = await members.create.mutate({ accountId, name: 'Ours', isShared: true, filter: FILTER });
    for (const refusal of await Promise.all(
      [viewers.change.mutate({ accountId, id, name: 'x' }), viewers.remove.mutate({ accountId, id })].map(
        getRefusal,
      ),
    ))
      expect(refusal).toMatchObject({ code: 'NOT_FOUND' });
    await own.change.mutate({ accountId, id, name: 'Errors', filter: { code: 'upstream_error' } });
    const { views } = await viewers.list.query({ accountId });
    expect(views).toMatchObject([{ id, name: 'Errors', filter: { code: 'upstream_error' } }]);
    await members.remove.mutate({ accountId, id });
    expect(await names(own)).toEqual([]);
    const rows = await site.deps.db.sql<{ action: string; name: string }[]>`
      SELECT action, detail->>'name' AS name FROM audit_log
      WHERE account_id = ${accountId} AND action LIKE 'view.%' ORDER BY at, id`;
    expect(rows.map(({ action, name }) => `${action} ${name}`)).toEqual([
      'view.share Ours',
      'view.change Errors',
      'view.remove Errors',
    ]);
  });

  it('have unique names in their list, and viewers share none', async () => {
    const { accountId, viewers } = await openTeam();
    const { id } = await viewers.create.mutate({ accountId, name: 'A', isShared: false, filter: {} });
    const again = { accountId, name: 'a ', isShared: false, filter: {} };
    expect(await getRefusal(viewers.create.mutate(again))).toMatchObject({ field: 'name' });
    await viewers.change.mutate({ accountId, id, name: 'a' });
    const sharing = [
      viewers.create.mutate({ accountId, name: 'B', isShared: true, filter: {} }),
      viewers.change.mutate({ accountId, id, isShared: true }),
    ];
    for (const refusal of await Promise.all(sharing.map(getRefusal)))
      expect(refusal).toMatchObject({ code: 'FORBIDDEN' });
    for (let views = 1; views < MAX_VIEWS; views++)
      await viewers.create.mutate({ accountId, name: `View ${views}`, isShared: false, filter: {} });
    const last = { accountId, name: 'Too many', isShared: false, filter: {} };
    expect(await getRefusal(viewers.create.mutate(last))).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('stay as they are when their creator may no longer share', async () => {
    const { accountId, members, names } = await openTeam();
    const { id } = await members.create.mutate({ accountId, name: 'Ours', isShared: true, filter: {} });
    await site.deps.db
      .sql`UPDATE memberships SET role = 'viewer' WHERE account_id = ${accountId} AND role = 'member'`;
    expect(await names(members)).toEqual([['Ours', false]]);
    for (const refusal of await Promise.all(
      [
        members.change.mutate({ accountId, id, name: 'Mine' }),
        members.change.mutate({ accountId, id, isShared: false }),
        members.remove.mutate({ accountId, id }),
      ].map(getRefusal),
    ))
      expect(refusal).toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['a\nb', '\u202Ea', '\u200B', 'a\0'])('have no name such as %j', async (name) => {
    const { accountId, members } = await openTeam();
    const creation = members.create.mutate({ accountId, name, isShared: false, filter: {} });
    expect(await getRefusal(creation)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('filter by nothing that cannot be stored', async () => {
    const { accountId, members } = await openTeam();
    const creation = members.create.mutate({
      accountId,
      name: 'A',
      isShared: false,
      filter: { model: 'a\0b' },
    });
    expect(await getRefusal(creation)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('cannot be read or changed from another account', async () => {
    const { accountId, members } = await openTeam();
    const { id } = await members.create.mutate({ accountId, name: 'Ours', isShared: true, filter: FILTER });
    const stranger = await signUpVerified(site);
    const { views } = stranger.visitor.client;
    const theirs = stranger.accountId;
    expect((await views.list.query({ accountId: theirs })).views).toEqual([]);
    for (const refusal of await Promise.all(
      [
        views.list.query({ accountId }),
        views.change.mutate({ accountId: theirs, id, name: 'x' }),
        views.remove.mutate({ accountId: theirs, id }),
      ].map(getRefusal),
    ))
      expect(refusal).toMatchObject({ code: 'NOT_FOUND' });
  });
});
