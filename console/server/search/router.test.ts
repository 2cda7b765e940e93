import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

describe('the search of the console', () => {
  let site: TestConsole;
  let owner: SignedIn;
  let keyId: string;
  beforeAll(async () => {
    site = await createTestConsole();
    owner = await signUpVerified(site);
    const { key } = await createKeyFixture(site.deps.db, owner.accountId, { name: 'nightly-build' });
    keyId = key.id;
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const find = (person: SignedIn, text: string, accountId = person.accountId) =>
    person.visitor.client.search.find.query({ accountId, text });

  it('finds content of the account for its members, and for no one else', async () => {
    const viewer = await joinAs(site, 'viewer', owner.accountId);
    const stranger = await signUpVerified(site);
    const { hits } = await find(viewer, 'NIGHTLY');
    expect(hits).toMatchObject([{ kind: 'key', id: keyId, label: 'nightly-build' }]);
    expect((await find(viewer, viewer.email)).hits).toMatchObject([{ kind: 'member', label: viewer.email }]);
    expect((await find(stranger, 'nightly')).hits).toEqual([]);
    expect((await find(stranger, keyId)).hits).toEqual([]);
    expect((await getRefusal(find(stranger, keyId, owner.accountId))).code).toBe('NOT_FOUND');
  });

  it('refuses a text of one character', async () => {
    expect((await getRefusal(find(owner, ' n '))).code).toBe('BAD_REQUEST');
  });

  it('finds content of all accounts only for operators, and records it without the secret', async () => {
    const operator = await signUpOperator(site);
    const everywhere = (person: SignedIn, text: string) =>
      person.visitor.client.operator.search.find.query({ text });
    expect((await getRefusal(everywhere(owner, 'nightly'))).code).toBe('FORBIDDEN');
    const { key, secret } = await createKeyFixture(site.deps.db, owner.accountId, { name: 'leaked' });
    expect((await everywhere(operator, secret)).hits).toMatchObject([
      { kind: 'key', id: key.id, account: { id: owner.accountId, name: owner.email } },
    ]);
    const entries = await site.deps.db.sql`
      SELECT subject, detail FROM audit_log WHERE action = 'search.run'`;
    expect(entries).toEqual([{ subject: owner.accountId, detail: { found: [`key ${key.id}`] } }]);
  });
});
