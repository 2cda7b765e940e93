import { randomUUID } from 'node:crypto';
import { createKeyFixture } from '@tollgate/testing/factories';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpUnverified, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const adjust = (accountId: string, change: { direction: 'give' | 'take'; amountUsd: string }) => ({
  accountId,
  reason: 'a trial',
  requestId: randomUUID(),
  ...change,
});

describe('operator.accounts', () => {
  let site: TestConsole;
  let operator: SignedIn;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const client = () => operator.visitor.client.operator.accounts;
  it('is restricted to operators with a verified email', async () => {
    const owner = await signUpVerified(site);
    const unverified = await signUpUnverified(site);
    await site.deps.db.sql`UPDATE users SET is_operator = true WHERE email = ${unverified.email}`;
    const own = { accountId: owner.accountId };
    const attempts = await Promise.all([
      getRefusal(owner.visitor.client.operator.accounts.list.query({})),
      getRefusal(owner.visitor.client.operator.accounts.get.query(own)),
      getRefusal(
        owner.visitor.client.operator.accounts.adjustBalance.mutate(
          adjust(owner.accountId, { direction: 'give', amountUsd: '1' }),
        ),
      ),
      getRefusal(unverified.visitor.client.operator.accounts.list.query({})),
    ]);
    expect(attempts.map(({ code, reason }) => [code, reason])).toEqual([
      ['FORBIDDEN', 'role'],
      ['FORBIDDEN', 'role'],
      ['FORBIDDEN', 'role'],
      ['FORBIDDEN', 'email_not_verified'],
    ]);
  });

  it('searches accounts by part of an email, by id and by state, with % as a literal', async () => {
    const person = await signUpVerified(site, 'needle.in.hay@example.com');
    const find = async (query: { search?: string; state?: 'active' | 'suspended' }) =>
      (await client().list.query(query)).accounts.map(({ id }) => id);
    expect(await find({ search: 'NEEDLE.in' })).toEqual([person.accountId]);
    expect(await find({ search: person.accountId })).toEqual([person.accountId]);
    expect(await find({ search: 'needle%hay' })).toEqual([]);
    await client().setSuspended.mutate({
      accountId: person.accountId,
      suspended: true,
      reason: 'a stolen card',
    });
    expect(await find({ search: 'needle', state: 'active' })).toEqual([]);
    expect(await find({ state: 'suspended' })).toEqual([person.accountId]);
  });

  it('pages through all accounts, the newest first', async () => {
    for (let count = 0; count < 3; count++) await signUpVerified(site);
    const all = (await client().list.query({ limit: 100 })).accounts.map(({ id }) => id);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await client().list.query({ limit: 2, cursor });
      paged.push(...page.accounts.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
    expect(all).toEqual(all.toSorted().toReversed());
  });

  it('shows balance, spend, members and keys of an account, and no secret', async () => {
    const { accountId, email } = await signUpVerified(site);
    const { key, secret } = await createKeyFixture(site.deps.db, accountId, { name: 'nightly' });
    await site.deps.db.sql`
      INSERT INTO usage_hourly (hour, account_id, key_id, model, requests, cost_nano_usd)
      VALUES (date_trunc('hour', now()) - interval '1 day', ${accountId}, ${key.id}, 'm', 1, 132000),
             (date_trunc('hour', now()) - interval '40 days', ${accountId}, ${key.id}, 'm', 1, 7000)`;
    const account = await client().get.query({ accountId });
    expect(account).toMatchObject({
      ownerEmail: email,
      planId: 'free',
      availableNanoUsd: '1000000000',
      spentNanoUsd: '132000',
      members: [{ email, role: 'owner', emailVerified: true }],
      keys: [{ name: 'nightly', last4: key.last4 }],
    });
    expect(JSON.stringify(account)).not.toContain(secret);
    expect((await getRefusal(client().get.query({ accountId: 'acct_none' }))).code).toBe('NOT_FOUND');
  });

  it.each(['0', '-1', 'ten', '1000000.01', '0.0000000001'])('refuses the amount %s', async (amountUsd) => {
    const wish = adjust(operator.accountId, { direction: 'give', amountUsd });
    expect(await getRefusal(client().adjustBalance.mutate(wish))).toMatchObject({
      code: 'BAD_REQUEST',
      field: 'amountUsd',
    });
  });

  it('moves an account to another plan, which must exist', async () => {
    const { accountId } = await signUpVerified(site);
    const moved = await client().setPlan.mutate({ accountId, planId: 'standard' });
    expect(moved).toMatchObject({ grantedNanoUsd: '0', account: { planId: 'standard' } });
    expect(await getRefusal(client().setPlan.mutate({ accountId, planId: 'none' }))).toMatchObject({
      code: 'BAD_REQUEST',
      field: 'planId',
    });
  });

  it('suspends and resumes with a stored reason and actor', async () => {
    const { accountId } = await signUpVerified(site);
    const suspend = { accountId, suspended: true, reason: 'unpaid' };
    expect((await client().setSuspended.mutate(suspend)).suspendedAt).not.toBeNull();
    expect((await client().setSuspended.mutate({ ...suspend, suspended: false })).suspendedAt).toBeNull();
    const { user } = await operator.visitor.client.session.get.query();
    const entries = await site.deps.db.sql<{ action: string; actor: string; detail: unknown }[]>`
      SELECT action, actor_user_id AS actor, detail FROM audit_log
      WHERE account_id = ${accountId} AND action LIKE 'account.%' ORDER BY id`;
    expect(entries).toEqual([
      { action: 'account.suspend', actor: user?.id, detail: { reason: 'unpaid' } },
      { action: 'account.resume', actor: user?.id, detail: { reason: 'unpaid' } },
    ]);
    const unreasoned = { ...suspend, reason: ' ' };
    expect((await getRefusal(client().setSuspended.mutate(unreasoned))).zodIssues?.[0]?.path).toBe('reason');
  });
});

describe('operator.accounts.adjustBalance', () => {
  it('adjusts a balance once per request id, with its reason in the ledger and the audit log', async () => {
    await using site = await createTestConsole();
    const accounts = (await signUpOperator(site)).visitor.client.operator.accounts;
    const { accountId } = await signUpVerified(site);
    const gift = adjust(accountId, { direction: 'give', amountUsd: '2.50' });
    const first = await accounts.adjustBalance.mutate(gift);
    const again = await accounts.adjustBalance.mutate(gift);
    expect([first.isNew, first.account.availableNanoUsd]).toEqual([true, '3500000000']);
    expect([again.isNew, again.account.availableNanoUsd]).toEqual([false, '3500000000']);
    const taken = await accounts.adjustBalance.mutate(
      adjust(accountId, { direction: 'take', amountUsd: '3.5' }),
    );
    expect(taken.account.availableNanoUsd).toBe('0');
    const tooMuch = adjust(accountId, { direction: 'take', amountUsd: '0.000000001' });
    expect(await getRefusal(accounts.adjustBalance.mutate(tooMuch))).toMatchObject({ field: 'amountUsd' });
    const entries = await site.deps.db.sql<{ detail: unknown }[]>`
      SELECT detail FROM audit_log WHERE account_id = ${accountId} AND action = 'account.credit' ORDER BY id`;
    expect(entries.map(({ detail }) => detail)).toEqual([
      { amountNanoUsd: '2500000000', reason: 'a trial' },
      { amountNanoUsd: '-3500000000', reason: 'a trial' },
    ]);
    expect((await verifyLedger(site.deps.db, { recompute: null })).findings).toEqual([]);
  });
});
