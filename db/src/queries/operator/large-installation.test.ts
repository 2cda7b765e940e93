import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  listProviderFigures,
  readInstallationFigures,
  readInstallationSeries,
} from '../usage/providers/overview.ts';
import { listAccountsAtRisk, listTopAccounts } from './account-figures.ts';
import { readAttentionFacts } from './attention.ts';
import { readProviderHealth } from './provider-health.ts';

const ACCOUNTS = 10_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

describe('the overview of a large installation', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { sql } = database.db;
    await sql`INSERT INTO accounts (id, name, plan_id)
      SELECT 'acct_' || n, 'Account ' || n, 'standard' FROM generate_series(1, ${ACCOUNTS}) n`;
    await sql`INSERT INTO balances (account_id, available_nano_usd)
      SELECT id, 1000000 * substr(id, 6)::bigint FROM accounts WHERE id LIKE 'acct\\_%' ON CONFLICT (account_id)
      DO UPDATE SET available_nano_usd = excluded.available_nano_usd`;
    await sql`INSERT INTO account_daily
      SELECT date_trunc('day', now(), 'UTC') - d * interval '1 day', 'acct_' || n, 1000, n % 300, 1000000000
      FROM generate_series(0, 30) d, generate_series(1, ${ACCOUNTS}) n`;
    await sql`INSERT INTO usage_hourly (hour, account_id, key_id, model, requests, charged_nano_usd)
      SELECT date_trunc('hour', now() - interval '30 days', 'UTC') + h * interval '1 hour', 'acct_' || n, 'key_' || n, 'm', 1, 1
      FROM generate_series(-12, 12) h, generate_series(1, ${ACCOUNTS}) n`;
    await sql`INSERT INTO provider_hourly
      SELECT date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 'provider_' || p, 'model_' || m, 1000, 10,
        1000000, 800000, 0, 0, array_fill(30, ARRAY[29]), array_fill(30, ARRAY[29])
      FROM generate_series(0, 1440) h, generate_series(1, 6) p, generate_series(1, 10) m`;
    await sql`INSERT INTO provider_minutes (minute, provider, calls, failures)
      SELECT date_trunc('minute', now()) - m * interval '1 minute', 'provider_' || p, 60000, 60
      FROM generate_series(0, 119) m, generate_series(1, 60) p`;
    await sql`ANALYZE account_daily, usage_hourly, provider_hourly, provider_minutes, accounts, balances`;
    // What read single requests would fail.
    await sql`ALTER TABLE requests RENAME TO requests_away`;
  }, 120_000);
  afterAll(() => database[Symbol.asyncDispose]());

  /** A month of a reader whose days do not begin with those of UTC. */
  const month = () => {
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - 5 * HOUR_MS;
    return { from: new Date(midnight - 29 * DAY_MS), to: new Date(midnight + 2 * DAY_MS) };
  };
  const day = { days: 3, errors: 20, errorPercent: 20 };

  /** With how many rows. A query of single requests would fail. */
  it.each<[string, () => Promise<unknown[]>, number]>([
    ['figures by provider and model', async () => listProviderFigures(database.db, month()), 60],
    ['totals', async () => [await readInstallationFigures(database.db, month())], 1],
    [
      'the chart',
      async () =>
        readInstallationSeries(database.db, { range: month(), bucket: 'day', timeZone: 'America/New_York' }),
      30,
    ],
    ['top accounts', async () => listTopAccounts(database.db, { range: month(), limit: 10 }), 10],
    [
      'accounts at risk',
      async () =>
        (await listAccountsAtRisk(database.db, { now: new Date(), limits: day, limit: 10 })).accounts,
      10,
    ],
    [
      'the health of providers',
      async () => readProviderHealth(database.db, new Date(Date.now() - HOUR_MS)),
      60,
    ],
  ])('reads %s from sums', async (_, read, rows) => {
    const found = await read();
    expect(found.length).toBeGreaterThanOrEqual(rows);
    expect(found.length).toBeLessThanOrEqual(rows + 1);
  });

  it('knows what needs attention without reading requests', async () => {
    const facts = await readAttentionFacts(database.db, new Date(Date.now() - 7 * DAY_MS));
    expect(facts.modelsWithoutRoute).toEqual([]);
  });

  it('finds the accounts, and says how many more are at risk', async () => {
    const found = await listAccountsAtRisk(database.db, { now: new Date(), limits: day, limit: 3 });
    // $0.001 and more, at $1 a day.
    expect(found.accounts.map(({ id, isLowOnBalance }) => [id, isLowOnBalance])).toEqual([
      ['acct_1', true],
      ['acct_2', true],
      ['acct_3', true],
    ]);
    expect(found.total).toBeGreaterThan(2_999);
  });
});
