import type { RequestRecord } from '@tollgate/core/money/ledger';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import {
  getSettlement,
  holdRequest,
  requestRecord,
  type RecordOwner,
} from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beatReplica } from '../../ledger/lost-holds.ts';
import { readProviderHealth } from '../../operator/provider-health.ts';
import { listProviderFigures, readInstallationFigures } from './overview.ts';
import { sumRequests } from './sum-requests.ts';

const HOUR_MS = 3_600_000;

describe('the sums by provider', () => {
  let database: TestDatabase;
  let owner: RecordOwner;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { accountId } = await createAccountFixture(database.db, { planId: 'standard' });
    owner = { accountId, keyId: (await createKeyFixture(database.db, accountId)).key.id };
    await creditBalance(database.db, { accountId, amountNanoUsd: 1_000_000_000n });
    await beatReplica(database.db.sql, 'rep_test');
  });
  beforeEach(async () => {
    await database.db.sql`TRUNCATE unsummed_requests, provider_hourly, provider_minutes, account_daily`;
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const range = () => ({ from: new Date(Date.now() - 100 * HOUR_MS), to: new Date(Date.now() + HOUR_MS) });
  const settle = async (...records: Partial<RequestRecord>[]) => {
    await commitBatch(database.db, { settlements: records.map((rest) => requestRecord(owner, rest)) });
  };
  const sum = async () => sumRequests(database.db, Date.now());
  const providerCost = async () => {
    await sum();
    return (await readInstallationFigures(database.db, range())).providerCostNanoUsd;
  };

  it('count every request once, in the hour in which it started', async () => {
    await settle(
      { provider: 'acme', model: 'large', costNanoUsd: 5n },
      { provider: 'acme', model: 'large', costNanoUsd: 7n, errorCode: 'client_gone', status: 499 },
      { provider: 'acme', model: 'small', errorCode: 'upstream_error', status: 502, costNanoUsd: 0n },
      { provider: null, model: null, errorCode: 'rate_limit_requests', status: 429, costNanoUsd: 0n },
      { provider: 'acme', model: 'small', startedAtMs: Date.now() - 200 * HOUR_MS },
    );
    await Promise.all([sum(), sum()]);
    const rows = await listProviderFigures(database.db, range());
    expect(rows.map(({ provider, model, requests, errors }) => [provider, model, requests, errors])).toEqual([
      ['acme', 'large', 2, 0],
      ['', '', 1, 1],
      ['acme', 'small', 1, 1],
    ]);
    expect(await database.db.sql`SELECT * FROM unsummed_requests`).toEqual([]);
    // Requests without an error are in the counts of the latency, and all with a first byte in the other.
    const [large] = rows;
    const count = (counts: readonly number[] = []) => counts.reduce((total, one) => total + one, 0);
    expect([count(large?.latency), count(large?.firstByte)]).toEqual([1, 2]);
  });

  it.each<[string, Partial<RequestRecord>, bigint]>([
    [
      'what our rates give, without the plan multiplier',
      { costNanoUsd: 1_200n, pricePpm: 1_200_000 },
      1_000n,
    ],
    [
      'with the rest above the hold',
      { costNanoUsd: 600n, operatorCostNanoUsd: 600n, pricePpm: 1_200_000 },
      1_000n,
    ],
    ['what the provider reported', { costNanoUsd: 1_200n, reportedCostNanoUsd: 900n }, 900n],
    [
      'with the cost of attempts before',
      {
        costNanoUsd: 1_200n,
        operatorCostNanoUsd: 50n,
        reportedCostNanoUsd: 900n,
        attempts: [attempt('acme', 'status_500'), attempt('acme', 'answered')],
      },
      950n,
    ],
    ['of a plan that charges nothing', { costNanoUsd: 0n, operatorCostNanoUsd: 40n, pricePpm: 0 }, 40n],
    ['nothing if the account has its own credential', { costNanoUsd: 60n, ownCredential: true }, 0n],
  ])('have as provider cost %s', async (_, record, expected) => {
    await settle(record);
    expect(await providerCost()).toBe(expected);
  });

  it('compare reported costs as the page of provider costs does', async () => {
    const reported = { reportedCostNanoUsd: 1_100n, costNanoUsd: 1_000n, priceId: 1 };
    await settle(reported, { ...reported, estimated: true }, { ...reported, pricePpm: 0 });
    await sum();
    const [row] = await listProviderFigures(database.db, range());
    expect([row?.reportedNanoUsd, row?.computedNanoUsd]).toEqual([1_100n, 1_000n]);
  });

  it('have the actual end of a request that was estimated before', async () => {
    const { db } = database;
    const hold = holdRequest(owner, { chargesBalance: true, wantNanoUsd: 9_000n });
    await commitBatch(db, { holds: [hold] });
    const lost = { recovered: true, errorCode: 'replica_lost', status: 499, costNanoUsd: 100n } as const;
    await commitBatch(db, { settlements: [getSettlement(hold, { ...lost, provider: null })] });
    await sum();
    await commitBatch(db, { settlements: [getSettlement(hold, { provider: 'acme', costNanoUsd: 700n })] });
    await sum();
    expect(await listProviderFigures(db, range())).toEqual([
      expect.objectContaining({ provider: 'acme', requests: 1, errors: 0, chargedNanoUsd: 700n }),
    ]);
    expect(await db.sql`SELECT requests::int, errors::int, charged_nano_usd FROM account_daily`).toEqual([
      { requests: 1, errors: 0, charged_nano_usd: 700n },
    ]);
  });

  it('equal the usage by the hour', async () => {
    const { db } = database;
    const usage = await db.sql`
      SELECT hour, model, sum(requests)::int AS requests, sum(errors)::int AS errors, sum(charged_nano_usd)::int AS charged
      FROM usage_hourly GROUP BY 1, 2 ORDER BY 1, 2`;
    await db.sql`INSERT INTO unsummed_requests SELECT u.* FROM requests r, LATERAL (
      SELECT r.started_at, r.account_id, r.model, r.provider, r.error_code, r.attempts, r.own_credential,
        r.charges_balance, r.cost_nano_usd, r.operator_cost_nano_usd, r.price_ppm, r.reported_cost_nano_usd, true,
        r.latency_ms, r.first_byte_ms, 1) u`;
    await sum();
    expect(usage.length).toBeGreaterThan(2);
    expect(
      await db.sql`
        SELECT hour, model, sum(requests)::int AS requests, sum(errors)::int AS errors, sum(charged_nano_usd)::int AS charged
        FROM provider_hourly GROUP BY 1, 2 ORDER BY 1, 2`,
    ).toEqual(usage);
  });

  it('show a quiet provider next to a busy one', async () => {
    const busy = Array.from({ length: 6_000 }, () => ({ provider: 'busy' }));
    await settle({ provider: 'quiet', startedAtMs: Date.now() - HOUR_MS / 2 });
    await settle(...busy);
    await settle({
      provider: 'quiet',
      attempts: [attempt('failed', 'timeout'), attempt('quiet', 'answered')],
    });
    await sum();
    const health = await readProviderHealth(database.db, new Date(Date.now() - HOUR_MS));
    expect(
      health
        .map(({ provider, calls, failures }) => [provider, calls, failures])
        .toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
    ).toEqual([
      ['busy', 6_000, 0],
      ['failed', 1, 1],
      ['quiet', 2, 0],
    ]);
  });
});

function attempt(provider: string, outcome: string) {
  return { route: 'route_1', provider, upstreamModel: 'm', outcome, status: null, durationMs: 1 };
}
