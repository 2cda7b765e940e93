import type { RequestRecord } from '@tollgate/core/money/ledger';
import { addHealthChecks } from '@tollgate/db/queries/health-checks/health-checks';
import { putModel } from '@tollgate/db/queries/models/models';
import { sumRequests } from '@tollgate/db/queries/usage/providers/sum-requests';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createKeyFixture } from '@tollgate/testing/factories';
import { getSettlement, holdRequest, requestRecord } from '@tollgate/testing/ledger-records';
import { beatReplica } from '@tollgate/db/queries/ledger/lost-holds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { plant, type Planted } from '../testing/planted-people.ts';
import { getRefusal } from '../testing/visitor.ts';

const DAY_MS = 86_400_000;
const PRICES = {
  inputNanoUsdPerMtok: 1n,
  outputNanoUsdPerMtok: 1n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

describe('the overview of the installation', () => {
  let site: TestConsole;
  let operator: Planted;
  let customer: Planted;
  let keyId: string;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await plant(site, { isOperator: true });
    customer = await plant(site);
    const { db } = site.deps;
    await db.sql`UPDATE accounts SET plan_id = 'standard' WHERE id = ${customer.accountId}`;
    keyId = (await createKeyFixture(db, customer.accountId)).key.id;
    await creditBalance(db, { accountId: customer.accountId, amountNanoUsd: 10_000n });
    await beatReplica(db.sql, 'rep_test');
  });
  afterAll(() => site[Symbol.asyncDispose]());
  const overview = () => operator.visitor.client.operator.overview;
  const now = () => site.deps.clock.nowMs();

  /** A request that the customer's balance pays. */
  async function pay(record: Partial<RequestRecord>): Promise<void> {
    const { db } = site.deps;
    const { accountId } = customer;
    const terms = { chargesBalance: true, wantNanoUsd: 500_000_000n, startedAtMs: now(), ...record };
    const { model, ...held } = terms;
    const hold = holdRequest(
      { accountId, keyId },
      { ...held, ...(typeof model === 'string' && { model }), priceId: 1 },
    );
    await commitBatch(db, { holds: [hold] });
    await commitBatch(db, { settlements: [getSettlement(hold, record)] });
    await sumRequests(db, now());
  }
  async function fail(times: number, record: Partial<RequestRecord>): Promise<void> {
    const { db } = site.deps;
    const failed = { status: 502, errorCode: 'upstream_error', costNanoUsd: 0n, startedAtMs: now() } as const;
    const owner = { accountId: customer.accountId, keyId };
    const settlements = Array.from({ length: times }, () => requestRecord(owner, { ...failed, ...record }));
    await commitBatch(db, { settlements });
    await sumRequests(db, now());
  }

  it('is restricted to operators', async () => {
    const { overview: theirs } = customer.visitor.client.operator;
    const refusals = await Promise.all([
      getRefusal(theirs.figures.query({ period: '7d', timeZone: 'UTC' })),
      getRefusal(theirs.atRisk.query()),
      getRefusal(theirs.attention.query()),
    ]);
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['FORBIDDEN']));
  });

  it('shows revenue, provider cost and latency, in all and by provider, model and account', async () => {
    await pay({ provider: 'acme', model: 'large', costNanoUsd: 1_200n, pricePpm: 1_200_000 });
    await pay({ provider: 'best', model: 'large', costNanoUsd: 1_000n, reportedCostNanoUsd: 1_100n });
    await fail(1, { provider: null, model: null });
    await addHealthChecks(site.deps.db, [
      {
        routeId: 'route_1',
        model: 'large',
        provider: 'acme',
        hourMs: Math.floor(now() / 3_600_000) * 3_600_000,
        checks: 1,
        failures: 0,
        inputTokens: 1,
        outputTokens: 1,
        costNanoUsd: 30n,
        lastCheckedAtMs: now(),
        lastError: null,
      },
    ]);
    const figures = await overview().figures.query({ period: '7d', timeZone: 'UTC' });
    const total = { requests: 3, errors: 1, revenueNanoUsd: '2200', providerCostNanoUsd: '2130' };
    expect(figures.totals).toMatchObject({
      ...total,
      driftPpm: 90_909,
      latency: { p50Ms: expect.any(Number) },
    });
    expect(figures.previousTotals.requests).toBe(0);
    expect(figures.healthCheckNanoUsd).toBe('30');
    expect(figures.points).toHaveLength(7);
    expect(figures.points.at(-1)).toEqual(total);
    expect(figures.providers).toMatchObject([
      { name: '', requests: 1, errors: 1, providerCostNanoUsd: '0', latency: { p50Ms: null } },
      { name: 'acme', requests: 1, revenueNanoUsd: '1200', providerCostNanoUsd: '1000', driftPpm: null },
      { name: 'best', requests: 1, revenueNanoUsd: '1000', providerCostNanoUsd: '1100', driftPpm: 90_909 },
    ]);
    expect(figures.models).toMatchObject([
      { name: 'large', requests: 2, revenueNanoUsd: '2200', providerCostNanoUsd: '2100' },
      { name: '', requests: 1 },
    ]);
    expect(figures.topAccounts).toEqual([
      expect.objectContaining({
        id: customer.accountId,
        ownerEmail: customer.email,
        requests: 3,
        errors: 1,
        revenueNanoUsd: '2200',
      }),
    ]);
  });

  it('counts the same requests in every time zone, by hours where days differ', async () => {
    await pay({ startedAtMs: now() - 6.9 * DAY_MS, provider: 'acme', model: 'large', costNanoUsd: 1n });
    const zones = ['UTC', 'America/Los_Angeles', 'Asia/Tokyo', 'Asia/Kolkata'];
    for (const timeZone of zones) {
      const figures = await overview().figures.query({ period: '7d', timeZone });
      const [account] = figures.topAccounts;
      expect([timeZone, account?.requests]).toEqual([timeZone, figures.totals.requests]);
      expect(account?.revenueNanoUsd).toBe(figures.totals.revenueNanoUsd);
    }
  });

  it('lists accounts whose balance is used up soon, or whose requests fail', async () => {
    // It has spent a small part of its first dollar.
    expect(await overview().atRisk.query()).toMatchObject({ accounts: [], more: 0 });
    await pay({ costNanoUsd: 500_000_000n });
    await pay({ costNanoUsd: 500_000_000n });
    const low = await overview().atRisk.query();
    expect(low.accounts).toMatchObject([
      {
        id: customer.accountId,
        availableNanoUsd: '7799',
        dailyNanoUsd: '1000002200',
        isLowOnBalance: true,
        isFailing: false,
      },
    ]);
    await fail(25, { provider: 'acme' });
    const failing = await overview().atRisk.query();
    expect(failing.accounts).toMatchObject([{ isLowOnBalance: true, isFailing: true, errors: 26 }]);
    await site.deps.db.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${customer.accountId}`;
    expect((await overview().atRisk.query()).accounts).toEqual([]);
    await site.deps.db.sql`UPDATE accounts SET suspended_at = NULL WHERE id = ${customer.accountId}`;
  });

  it('says what needs attention', async () => {
    const { db } = site.deps;
    await putModel(db, { id: 'lonely', facts: {}, prices: PRICES, now: new Date(now()) });
    await db.sql`INSERT INTO providers (id, name, dialect, base_url) VALUES ('prov_a', 'acme', 'openai-chat', 'http://a')`;
    await db.sql`
      INSERT INTO provider_credentials (id, provider_id, label, credential_sealed, set_aside_at, set_aside_cause)
      VALUES ('prov_b', 'prov_a', 'second', 'x', now(), 'refused')`;
    const attempt = {
      route: 'route_1',
      upstreamModel: 'm',
      status: 402,
      durationMs: 1,
      provider: 'acme',
      outcome: 'status_402',
      message: 'Insufficient credits',
    };
    await fail(1, { provider: 'acme', attempts: [attempt], errorCode: 'upstream_misconfigured' });
    const { items } = await overview().attention.query();
    expect(items).toEqual(
      expect.arrayContaining([
        { kind: 'provider_failing', provider: 'acme', calls: 27, failures: 26 },
        { kind: 'provider_message', provider: 'acme', text: 'Insufficient credits', at: expect.any(String) },
        { kind: 'credentials_set_aside', provider: 'acme', setAside: 1, credentials: expect.any(Number) },
        { kind: 'models_without_route', models: expect.arrayContaining(['lonely']) },
        { kind: 'cost_drift', provider: 'best', model: 'large', driftPpm: 90_909 },
      ]),
    );
    expect(items.some(({ kind }) => kind === 'failed_jobs')).toBe(false);
  });
});
