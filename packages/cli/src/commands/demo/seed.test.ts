import { listAccounts } from '@tollgate/db/queries/accounts/accounts';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { claimBudgetsReached, claimLowBalances } from '@tollgate/db/queries/system/alerts';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate demo seed', { timeout: 30_000 }, () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeEach(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterEach(() => database[Symbol.asyncDispose]());
  const getBalance = async (email: string) =>
    (await listAccounts(database.db)).find((account) => account.email === email)?.availableNanoUsd ?? 0n;

  it('adds a month to the operator’s account and keeps the ledger valid', async () => {
    await createAccountFixture(database.db, { email: 'other@example.com', planId: 'standard' });
    await createAccountFixture(database.db, {
      email: 'op@example.com',
      isOperator: true,
      planId: 'standard',
    });
    const { stdout, stderr, code } = await tollgate('demo seed --yes --requests 1500 --json');
    expect([code, stderr]).toEqual([0, expect.stringContaining('stored 1500 of 1500 requests')]);
    expect(JSON.parse(stdout)).toMatchObject({ email: 'op@example.com', requests: 1_500, keys: 5 });

    expect((await verifyLedger(database.db, { recompute: null })).findings).toEqual([]);
    const { stdout: verified } = await tollgate('ledger verify');
    const getLine = (word: string) => verified.split('\n').find((line) => line.includes(word)) ?? '';
    // Every request is in each of these lines, with the reason if it is not checked.
    for (const line of [getLine('recomputed'), getLine('compared')]) {
      expect(line).toContain('not checked');
      const counts = (line.match(/[\d,]+(?= \w)/g) ?? []).map((text) => Number(text.replaceAll(',', '')));
      expect(counts.reduce((sum, count) => sum + count)).toBe(1_500);
    }
    expect(await getBalance('op@example.com')).toBeGreaterThanOrEqual(0n);
    expect(await getBalance('other@example.com')).toBe(0n);
    const [days] = await database.db.sql<{ days: number; models: number; entries: number }[]>`
      SELECT count(DISTINCT date_trunc('day', hour))::integer AS days, count(DISTINCT model)::integer AS models,
        (SELECT count(*) FROM ledger_entries WHERE kind = 'top_up')::integer AS entries FROM usage_hourly`;
    expect(days?.days).toBeGreaterThanOrEqual(28);
    expect(days?.models).toBe(5);
    expect(days?.entries).toBeGreaterThan(0);
  });

  it('causes no alert about a budget or a balance', async () => {
    const { accountId } = await createAccountFixture(database.db, {
      email: 'op@example.com',
      isOperator: true,
      planId: 'standard',
    });
    await database.db
      .sql`INSERT INTO balance_alerts (account_id, threshold_nano_usd) VALUES (${accountId}, 5000000000)`;
    await database.db
      .sql`UPDATE balances SET available_nano_usd = 6000000000 WHERE account_id = ${accountId}`;
    await tollgate.json('demo seed --yes --requests 1500');
    const now = new Date();
    const since = new Date(now.getTime() - 40 * 86_400_000);
    expect(await claimBudgetsReached(database.db, { since, now, limit: 500 })).toEqual([]);
    expect(await claimLowBalances(database.db, now)).toEqual([]);
  });

  it('adds no top-ups on an unbilled plan, and a second month only with --again', async () => {
    await createAccountFixture(database.db, { email: 'dev@example.com', planId: 'internal' });
    const line = 'demo seed --yes --requests 300 --account dev@example.com';
    expect(await tollgate.json(line)).toMatchObject({ topUps: 0, topUpUsd: '0.00' });
    const again = await tollgate(line);
    expect([again.code, again.stderr, again.stdout]).toEqual([0, '', expect.stringContaining('use --again')]);
    expect(await tollgate.json(line)).toMatchObject({ hadUsage: true, requests: 0, costUsd: '0.00' });
    expect(await tollgate.json(`${line} --again`)).toMatchObject({ requests: 300, modelsAdded: [] });
    expect((await verifyLedger(database.db, { recompute: null })).findings).toEqual([]);
    expect(await getBalance('dev@example.com')).toBe(0n);
  });

  it('requires --yes for DATABASE_URL, and an operator', async () => {
    const refused = await tollgate('demo seed');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('use --yes')]);
    const withoutOperator = await tollgate('demo seed --yes');
    expect([withoutOperator.code, withoutOperator.stderr]).toEqual([
      1,
      expect.stringContaining('This installation has no operator yet'),
    ]);
  });
});
