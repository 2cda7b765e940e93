import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '../router.ts';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const MINUTE_MS = 60_000;

describe('operator.viewing', () => {
  let site: TestConsole;
  let operator: SignedIn;
  let owner: SignedIn;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    owner = await signUpVerified(site);
    await createKeyFixture(site.deps.db, owner.accountId, { name: 'theirs' });
  });
  afterAll(() => site[Symbol.asyncDispose]());
  const begin = (accountId = owner.accountId) =>
    operator.visitor.client.operator.viewing.begin.mutate({ accountId, reason: 'a ticket' });
  const end = () => operator.visitor.client.operator.viewing.end.mutate();
  const readKeys = () =>
    operator.visitor.client.keys.list.query({ accountId: owner.accountId, state: 'active' });

  it('is restricted to operators and to existing accounts', async () => {
    const { viewing } = owner.visitor.client.operator;
    const theirs = { accountId: operator.accountId, reason: 'curiosity' };
    expect((await getRefusal(viewing.begin.mutate(theirs))).code).toBe('FORBIDDEN');
    expect((await getRefusal(begin('acct_none'))).code).toBe('NOT_FOUND');
  });

  it('gives the operator the read access of a viewer, and nothing before or after', async () => {
    expect((await getRefusal(readKeys())).code).toBe('NOT_FOUND');
    await begin();
    const session = await operator.visitor.client.session.get.query();
    expect(session.user?.email).toBe(operator.email);
    expect(session.accounts).toEqual([
      { id: owner.accountId, name: owner.email, isNamed: true, role: 'viewer', requiresTwoFactor: false },
    ]);
    expect(session.viewing).toMatchObject({ accountId: owner.accountId });
    expect((await readKeys()).keys.map(({ name }) => name)).toEqual(['theirs']);
    await end();
    expect((await operator.visitor.client.session.get.query()).viewing).toBeNull();
    expect((await getRefusal(readKeys())).code).toBe('NOT_FOUND');
  });

  it('refuses every procedure that changes something, but its own end and signing out', async () => {
    await begin();
    const cookie = [...operator.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const flat: Record<string, unknown> = { ...appRouter._def.procedures };
    const mutations = Object.entries(flat).flatMap(([path, procedure]) =>
      getType(procedure) === 'mutation' && path !== 'auth.signOut' && path !== 'operator.viewing.end'
        ? [path]
        : [],
    );
    expect(mutations.length).toBeGreaterThan(20);
    const letThrough: string[] = [];
    for (const path of mutations) {
      const request = new Request(`http://127.0.0.1:3000/trpc/${path}`, {
        method: 'POST',
        body: JSON.stringify({ accountId: owner.accountId }),
        headers: { 'content-type': 'application/json', origin: 'http://127.0.0.1:3000', cookie },
      });
      const answer = await (await site.fetch(request, '203.0.113.9')).text();
      if (!answer.includes('"reason":"viewing"')) letThrough.push(`${path}: ${answer}`);
    }
    expect(letThrough).toEqual([]);
    await end();
  });

  it('ends automatically after half an hour, with the session, and with the rights of the operator', async () => {
    await begin();
    site.advance(29 * MINUTE_MS);
    expect((await readKeys()).keys).toHaveLength(1);
    await site.deps.db.sql`UPDATE users SET is_operator = false WHERE email = ${operator.email}`;
    expect((await getRefusal(readKeys())).code).toBe('NOT_FOUND');
    await site.deps.db.sql`UPDATE users SET is_operator = true WHERE email = ${operator.email}`;
    site.advance(2 * MINUTE_MS);
    expect((await getRefusal(readKeys())).code).toBe('NOT_FOUND');
  });

  it('is recorded in the audit log of the account at start and end, with the reason', async () => {
    const { user } = await operator.visitor.client.session.get.query();
    const entries = await site.deps.db.sql<{ action: string; actor: string; reason: string | null }[]>`
      SELECT action, actor_user_id AS actor, detail->>'reason' AS reason FROM audit_log
      WHERE account_id = ${owner.accountId} AND action LIKE 'account.view%' ORDER BY id LIMIT 2`;
    expect(entries).toEqual([
      { action: 'account.view', actor: user?.id, reason: 'a ticket' },
      { action: 'account.view_end', actor: user?.id, reason: null },
    ]);
  });
});

function getType(procedure: unknown): string {
  if (typeof procedure !== 'function' || !('_def' in procedure)) throw new Error('This is no procedure');
  const definition = procedure._def;
  const isTyped = typeof definition === 'object' && definition !== null && 'type' in definition;
  return isTyped ? String(definition.type) : 'unknown';
}
