import { refreshKeyStandings } from '@tollgate/db/queries/keys/key-rankings';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

type Input = Parameters<SignedIn['visitor']['client']['keys']['list']['query']>[0];
type Sort = NonNullable<Input['sort']>;

describe('keys.list', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
    await site.deps.db.sql`INSERT INTO models (id) VALUES ('gpt-test'), ('claude-test')`;
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const getNames = async ({ visitor, accountId }: SignedIn, input: Omit<Partial<Input>, 'accountId'>) => {
    const page = await visitor.client.keys.list.query({ accountId, state: 'active', ...input });
    return page.keys.map(({ name }) => name);
  };
  /** Keys whose spend and last use follow neither their names nor the order in which they were made. */
  const createMany = async (accountId: string) => {
    const spends = [30, 10, 0, 10, 20, 0, 400];
    for (const [index, spent] of spends.entries()) {
      const name = `${index % 2 === 0 ? 'K' : 'k'}${(index * 3) % 7}`;
      const { key } = await createKeyFixture(site.deps.db, accountId, { name });
      const usedAt = spent === 0 ? null : new Date(Date.UTC(2026, 0, 1 + ((index * 5) % 7))).toISOString();
      await site.deps.db.sql`
        UPDATE key_totals SET spent_nano_usd = ${spent}, last_used_at = ${usedAt} WHERE key_id = ${key.id}`;
    }
    await refreshKeyStandings(site.deps.db, 'all', Date.now());
  };

  it.each<[Sort, string[]]>([
    ['created', ['K4', 'k1', 'K5', 'k2', 'K6', 'k3', 'K0']],
    ['name', ['K6', 'K5', 'K4', 'k3', 'k2', 'k1', 'K0']],
    ['spent', ['K4', 'K0', 'K5', 'k2', 'k3', 'k1', 'K6']],
    ['used', ['K5', 'k3', 'K4', 'k2', 'K0', 'k1', 'K6']],
  ])('sorts by %s both ways, and pages through all without a gap or a key twice', async (sort, expected) => {
    const owner = await signUpVerified(site);
    await createMany(owner.accountId);
    expect(await getNames(owner, { sort })).toEqual(expected);
    for (const isAscending of [false, true]) {
      const seen: string[] = [];
      let cursor: Input['cursor'] = null;
      do {
        const page = await owner.visitor.client.keys.list.query({
          accountId: owner.accountId,
          state: 'active',
          limit: 2,
          sort,
          isAscending,
          cursor,
        });
        seen.push(...page.keys.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(isAscending ? expected.toReversed() : expected);
    }
  });

  it('sorts by the spend and the last use of some seconds ago, and shows those of now', async () => {
    const owner = await signUpVerified(site);
    const { db } = site.deps;
    const { accountId } = owner;
    const { key: first } = await createKeyFixture(db, accountId, { name: 'first' });
    const { key: second } = await createKeyFixture(db, accountId, { name: 'second' });
    const use = async (keyId: string, startedAtMs: number) => {
      const settlements = [requestRecord({ accountId, keyId }, { startedAtMs, costNanoUsd: 700n })];
      await commitBatch(db, { settlements });
    };
    await use(first.id, Date.now());
    const page = await owner.visitor.client.keys.list.query({ accountId, state: 'active', sort: 'spent' });
    expect(page.keys.map(({ name, spentNanoUsd }) => [name, spentNanoUsd])).toEqual([
      ['second', '0'],
      ['first', '700'],
    ]);
    expect(await refreshKeyStandings(db, 'recent', Date.now())).toBe(1);
    expect(await refreshKeyStandings(db, 'all', Date.now())).toBe(0);
    expect(await getNames(owner, { sort: 'spent' })).toEqual(['first', 'second']);
    expect(await getNames(owner, { sort: 'used' })).toEqual(['first', 'second']);
    await use(second.id, Date.now() - 9 * 3_600_000);
    expect(await refreshKeyStandings(db, 'recent', Date.now())).toBe(0);
    expect(await refreshKeyStandings(db, 'all', Date.now())).toBe(1);
    expect(await getNames(owner, { sort: 'spent' })).toEqual(['second', 'first']);
    expect(await getNames(owner, { sort: 'used' })).toEqual(['first', 'second']);
  });

  it('filters keys by an allowed model, including keys that allow all models', async () => {
    const owner = await signUpVerified(site);
    const { db } = site.deps;
    await createKeyFixture(db, owner.accountId, { name: 'all' });
    await createKeyFixture(db, owner.accountId, { name: 'one', allowedModels: ['gpt-test'] });
    await createKeyFixture(db, owner.accountId, { name: 'other', allowedModels: ['claude-test'] });
    expect(await getNames(owner, { model: 'gpt-test' })).toEqual(['one', 'all']);
    expect(await getNames(owner, { model: 'none' })).toEqual(['all']);
  });

  it('finds keys by their tags, which can be changed, and names the tags there are', async () => {
    const owner = await signUpVerified(site);
    const { accountId } = owner;
    const { keys } = owner.visitor.client;
    const { key } = await createKeyFixture(site.deps.db, accountId, { name: 'tagged' });
    await createKeyFixture(site.deps.db, accountId, { name: 'plain' });
    const tagged = await keys.setTags.mutate({ accountId, keyId: key.id, tags: [' prod ', 'eu west'] });
    expect(tagged.tags).toEqual(['prod', 'eu west']);
    expect(await getNames(owner, { tag: 'prod' })).toEqual(['tagged']);
    expect(await keys.tags.query({ accountId })).toEqual({ tags: ['eu west', 'prod'] });
    await keys.setTags.mutate({ accountId, keyId: key.id, tags: [] });
    expect(await getNames(owner, { tag: 'prod' })).toEqual([]);
    for (const tags of [
      ['a,b'],
      [''],
      ['x'.repeat(33)],
      ['a', 'a'],
      Array.from({ length: 11 }, (_, i) => `t${i}`),
    ]) {
      const refusal = await getRefusal(keys.setTags.mutate({ accountId, keyId: key.id, tags }));
      expect(refusal.zodIssues?.[0]?.path).toMatch(/^tags/);
    }
  });

  it('rejects a cursor of another order', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    for (const sort of ['created', 'spent', 'used'] as const) {
      for (const value of ['nonsense', '2026-99-01 00:00:00+00', '9'.repeat(19)]) {
        const cursor = { value, id: 'key_1' };
        const refusal = await getRefusal(
          visitor.client.keys.list.query({ accountId, state: 'active', sort, cursor }),
        );
        expect(refusal).toMatchObject({ code: 'BAD_REQUEST', field: 'cursor' });
      }
    }
  });

  it('accepts page sizes of 1 to 100 keys', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    for (const limit of [0, 101]) {
      const refusal = await getRefusal(visitor.client.keys.list.query({ accountId, state: 'active', limit }));
      expect(refusal.zodIssues?.[0]?.path).toBe('limit');
    }
  });
});
