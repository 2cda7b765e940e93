import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { plant } from '../testing/planted-people.ts';
import { getRefusal } from '../testing/visitor.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await createTestConsole();
});
afterAll(() => site[Symbol.asyncDispose]());

it('lists actions with their actors, newest first, to admins only', async () => {
  const owner = await plant(site);
  const { accountId } = owner;
  const admin = await plant(site, { joins: { accountId, role: 'admin' } });
  const member = await plant(site, { joins: { accountId, role: 'member' } });
  const operator = await plant(site, { isOperator: true });
  const { key } = await createKeyFixture(site.deps.db, accountId, { name: 'ci' });
  await owner.visitor.client.team.rename.mutate({ accountId, name: 'Acme' });
  await member.visitor.client.keys.revoke.mutate({ accountId, keyId: key.id });
  await recordAudit(site.deps.db, {
    actorUserId: operator.userId,
    accountId,
    action: 'account.credit',
    subject: accountId,
    detail: { reason: 'sorry' },
  });
  const { entries } = await admin.visitor.client.audit.list.query({ accountId });
  expect(entries.map(({ action, actor, keyName }) => [action, actor, keyName])).toEqual([
    // Which operator it was is nothing for the account.
    ['account.credit', { kind: 'operator' }, null],
    ['key.revoke', { kind: 'person', userId: member.userId, email: member.email }, 'ci'],
    ['account.rename', { kind: 'person', userId: owner.userId, email: owner.email }, null],
    ['key.create', { kind: 'installation' }, 'ci'],
  ]);
  expect((await getRefusal(member.visitor.client.audit.list.query({ accountId }))).code).toBe('FORBIDDEN');
  const other = await plant(site);
  const mine = await other.visitor.client.audit.list.query({
    accountId: other.accountId,
    actorUserId: owner.userId,
  });
  expect(mine.entries).toEqual([]);
});

it('is a file for admins, by the same filter, that no spreadsheet runs', async () => {
  const owner = await plant(site);
  const { accountId } = owner;
  const member = await plant(site, { joins: { accountId, role: 'member' } });
  await createKeyFixture(site.deps.db, accountId, { name: '=cmd' });
  await owner.visitor.client.team.rename.mutate({ accountId, name: 'Acme' });
  const csv = await owner.visitor.get(`/exports/audit.csv?accountId=${accountId}&action=key`);
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-.+\.csv"$/);
  const [head, ...lines] = (await csv.text()).trimEnd().split('\r\n');
  expect(head).toBe('id,at,actor,actor_email,actor_user_id,action,subject,key_name,detail');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(',installation,,,key.create,');
  expect(lines[0]).toContain(",'=cmd,");
  const json = await owner.visitor.get(`/exports/audit.json?accountId=${accountId}`);
  expect(await json.json()).toMatchObject([
    { action: 'account.rename', actor: 'person', actor_email: owner.email },
    { action: 'key.create', actor: 'installation' },
  ]);
  expect((await member.visitor.get(`/exports/audit.csv?accountId=${accountId}`)).status).toBe(403);
  const stranger = await plant(site);
  expect((await stranger.visitor.get(`/exports/audit.csv?accountId=${accountId}`)).status).toBe(404);
  expect((await owner.visitor.get(`/exports/audit.csv?accountId=${accountId}&from=soon`)).status).toBe(400);
});

it('is filtered by person, kind, action and time, and paged without a gap', async () => {
  const owner = await plant(site);
  const { accountId, userId } = owner;
  const { sql } = site.deps.db;
  // Three at a time share their moment: the page's edge falls between them.
  await sql`
    INSERT INTO audit_log (id, at, actor_user_id, account_id, action, subject)
    SELECT 'aud_' || lpad(n::text, 4, '0') || ${accountId}, timestamptz '2026-01-01' + (n / 3) * interval '1 hour',
           CASE WHEN n % 2 = 0 THEN ${userId} END, ${accountId},
           CASE n % 3 WHEN 0 THEN 'key.create' WHEN 1 THEN 'key.revoke' ELSE 'keyring.open' END, 'x'
    FROM generate_series(1, 130) n`;
  const { list } = owner.visitor.client.audit;
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list.query({ accountId, cursor });
    ids.push(...page.entries.map(({ id }) => id));
    sizes.push(page.entries.length);
    cursor = page.nextCursor;
  }
  expect(sizes).toEqual([50, 50, 30]);
  expect(new Set(ids).size).toBe(130);
  expect(ids).toEqual(ids.toSorted().toReversed());
  const getCount = async (filter: object) => (await list.query({ accountId, ...filter })).entries.length;
  const day = { from: '2026-01-01T00:00:00.000Z', until: '2026-01-01T12:00:00.000Z' };
  expect(await getCount(day)).toBe(35);
  expect(await getCount({ ...day, actorUserId: userId })).toBe(17);
  expect(await getCount({ ...day, action: 'key' })).toBe(23);
  expect(await getCount({ ...day, action: 'key.create' })).toBe(11);
  expect((await getRefusal(list.query({ accountId, action: "key' OR 1=1" }))).code).toBe('BAD_REQUEST');
});
