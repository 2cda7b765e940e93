import { adjustBalance } from '@tollgate/db/queries/ledger/grant-credit';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { storePastTopUp } from '@tollgate/db/queries/usage/past-usage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';

const ACCOUNT_TABLES = ['keys', 'activity', 'payments', 'statements'];
const OPERATOR_TABLES = [
  'accounts',
  'installation-payments',
  'provider-figures',
  'top-accounts',
  'provider-costs',
  'lost-cache-reads',
  'health-check-costs',
];

describe('exports of tables of money', () => {
  let site: TestConsole;
  let owner: SignedIn;
  let operator: SignedIn;
  let keyId: string;
  beforeAll(async () => {
    site = await createTestConsole();
    owner = await signUpVerified(site);
    operator = await signUpOperator(site);
    const { db, clock } = site.deps;
    const { accountId, email } = owner;
    keyId = (await createKeyFixture(db, accountId, { name: 'production' })).key.id;
    await db.sql`UPDATE api_keys SET tags = ARRAY['ci', 'team a'] WHERE id = ${keyId}`;
    await storePastTopUp(db, {
      accountId,
      payerEmail: email,
      amountCents: 2_000,
      at: new Date(clock.nowMs()),
    });
    const credit = { accountId, amountNanoUsd: 1_500_000_001n, reason: '=a credit', actorUserId: null };
    await adjustBalance(db, credit);
    const settlements = [
      requestRecord({ accountId, keyId }, { startedAtMs: clock.nowMs(), costNanoUsd: 7n }),
    ];
    await commitBatch(db, { settlements });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const get = (person: SignedIn, file: string, query: Record<string, string> = {}) =>
    person.visitor.get(
      `/exports/${file}?${new URLSearchParams({ accountId: owner.accountId, ...query }).toString()}`,
    );
  const getStatus = async (person: SignedIn, table: string) => {
    const response = await get(person, `${table}.csv`);
    await response.text();
    return response.status;
  };
  const read = async (person: SignedIn, table: string, query?: Record<string, string>) =>
    (await (await get(person, `${table}.json`, query)).json()) as Record<string, unknown>[];

  it('have every movement of the balance with the balance after it', async () => {
    expect(await read(owner, 'activity')).toMatchObject([
      { kind: 'credit', reason: '=a credit', amount_usd: '1.500000001', balance_usd: '22.500000001' },
      { kind: 'top_up', amount_usd: '20.00', balance_usd: '21.00', key_tags: null },
      { kind: 'credit', amount_usd: '1.00', balance_usd: '1.00' },
    ]);
    expect(await (await get(owner, 'activity.csv')).text()).toContain("credit,'=a credit,");
  });

  it('have payments, statements and keys with their tags', async () => {
    expect(await read(owner, 'payments')).toMatchObject([
      { kind: 'checkout', status: 'paid', amount_usd: '20.00', corrections: [] },
    ]);
    expect(await read(owner, 'statements')).toMatchObject([
      { top_ups_usd: '20.00', credit_usd: '2.500000001', closing_balance_usd: '22.500000001' },
    ]);
    expect(await read(owner, 'keys')).toMatchObject([
      { id: keyId, tags: ['ci', 'team a'], spent_usd: '0.000000007', cost_last_7_days_usd: '0.000000007' },
    ]);
    expect(await (await get(owner, 'keys.csv')).text()).toContain('production,"ci,team a",');
    expect(await read(owner, 'keys', { tag: 'none' })).toEqual([]);
  });

  it('have the tags of keys next to requests and usage', async () => {
    expect(await read(owner, 'requests')).toMatchObject([{ key_id: keyId, key_tags: ['ci', 'team a'] }]);
    const usage = { days: '1', step: 'day', zone: 'UTC', group: 'key' };
    expect(await read(owner, 'usage', usage)).toMatchObject([{ key_id: keyId, key_tags: ['ci', 'team a'] }]);
  });

  it('have usage by tag, with a row for each tag of a key', async () => {
    const usage = { days: '1', step: 'day', zone: 'UTC', group: 'tag' };
    const cost_usd = '0.000000007';
    expect(await read(owner, 'usage', usage)).toMatchObject([
      { tag: 'ci', requests: 1, cost_usd },
      { tag: 'team a', requests: 1, cost_usd },
    ]);
    expect(await read(owner, 'usage', { ...usage, tag: 'none' })).toEqual([]);
  });

  it('give operators accounts, payments and figures of the installation', async () => {
    expect(await read(operator, 'accounts', { search: owner.accountId })).toMatchObject([
      {
        id: owner.accountId,
        owner: owner.email,
        cost_last_30_days_usd: '0.000000007',
        balance_usd: '22.500000001',
      },
    ]);
    expect(await read(operator, 'installation-payments', { state: 'failed' })).toEqual([]);
    expect(await read(operator, 'installation-payments')).toMatchObject([
      { account_id: owner.accountId, payer: owner.email, amount_usd: '20.00' },
    ]);
    for (const table of OPERATOR_TABLES) expect(await getStatus(operator, table)).toBe(200);
  });

  it.each(ACCOUNT_TABLES)('give %s to viewers, and to members only', async (table) => {
    const viewer = await joinAs(site, 'viewer', owner.accountId);
    expect(await getStatus(viewer, table)).toBe(200);
    expect((await get(await signUpVerified(site), `${table}.csv`)).status).toBe(404);
    expect(await getStatus(operator, table)).toBe(404);
    expect((await site.visit().get(`/exports/${table}.csv?accountId=${owner.accountId}`)).status).toBe(401);
  });

  it.each(OPERATOR_TABLES)('give %s to operators only', async (table) => {
    expect(await getStatus(owner, table)).toBe(403);
    expect((await site.visit().get(`/exports/${table}.csv`)).status).toBe(401);
  });

  it('give an operator who views an account what a viewer gets, as long as the view lasts', async () => {
    const { viewing } = operator.visitor.client.operator;
    await viewing.begin.mutate({ accountId: owner.accountId, reason: 'a ticket' });
    for (const table of ACCOUNT_TABLES) expect(await getStatus(operator, table)).toBe(200);
    expect((await get(operator, 'audit.json')).status).toBe(403);
    const month = new Date(site.deps.clock.nowMs()).toISOString().slice(0, 7);
    const pdf = `/statements/${month}.pdf?accountId=${owner.accountId}`;
    expect((await operator.visitor.get(pdf)).status).toBe(200);
    const other = await signUpVerified(site);
    expect((await get(operator, 'keys.json', { accountId: other.accountId })).status).toBe(404);
    await viewing.end.mutate();
    expect((await get(operator, 'keys.json')).status).toBe(404);
  });
});
