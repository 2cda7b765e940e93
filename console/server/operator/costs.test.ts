import { addHealthChecks } from '@tollgate/db/queries/health-checks/health-checks';
import { putModel } from '@tollgate/db/queries/models/models';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const DAY_MS = 86_400_000;
const PRICES = {
  outputNanoUsdPerMtok: 1n,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

let site: TestConsole;
let operator: SignedIn;
beforeAll(async () => {
  site = await createTestConsole();
  operator = await signUpOperator(site);
});
afterAll(() => site[Symbol.asyncDispose]());
const costs = (period?: '7d' | '30d') => operator.visitor.client.operator.costs.list.query({ period });

async function addRequest(routeId: string, rest: Parameters<typeof requestRecord>[1]): Promise<void> {
  const owner = { accountId: operator.accountId, keyId: 'key' };
  const record = requestRecord(owner, { model: 'small', routeId, priceId: 1, ...rest });
  await commitBatch(site.deps.db, { settlements: [record] });
}

it('shows reported, billed and unbilled cost of each route in one row, the largest amount first', async () => {
  expect(await costs()).toEqual({ routes: [], more: 0 });
  await addRequest('route_a', { costNanoUsd: 1_200n, pricePpm: 1_200_000, reportedCostNanoUsd: 1_100n });
  await addRequest('route_a', { costNanoUsd: 0n, operatorCostNanoUsd: 300n });
  await addRequest('route_b', { costNanoUsd: 1_000n, operatorCostNanoUsd: 9_000n });
  await addRequest('route_c', { costNanoUsd: 1_000n, reportedCostNanoUsd: 1_000n });
  const { routes } = await costs();
  expect(routes).toEqual([
    {
      model: 'small',
      routeId: 'route_b',
      provider: 'p',
      reported: null,
      unbilled: { requests: 1, costNanoUsd: '9000' },
    },
    {
      model: 'small',
      routeId: 'route_a',
      provider: 'p',
      reported: {
        requests: 1,
        reportedNanoUsd: '1100',
        billedNanoUsd: '1000',
        driftPpm: 90_909,
        isDrifting: true,
      },
      unbilled: { requests: 1, costNanoUsd: '300' },
    },
    expect.objectContaining({ routeId: 'route_c', unbilled: null }),
  ]);
  expect(routes[2]?.reported).toMatchObject({ driftPpm: 0, isDrifting: false });
});

it('counts requests of the chosen period only', async () => {
  const startedAtMs = site.deps.clock.nowMs() - 8 * DAY_MS;
  await addRequest('route_old', { startedAtMs, operatorCostNanoUsd: 50n });
  const getNames = async (period: '7d' | '30d') => (await costs(period)).routes.map(({ routeId }) => routeId);
  expect(await getNames('7d')).not.toContain('route_old');
  expect(await getNames('30d')).toContain('route_old');
});

it('shows what changes of the route within sessions cost in the chosen period', async () => {
  const lost = (period?: '7d' | '30d') =>
    operator.visitor.client.operator.costs.lostCacheReads.query({ period });
  expect(await lost('30d')).toEqual([]);
  const { db, clock } = site.deps;
  const prices = { ...PRICES, inputNanoUsdPerMtok: 2_000_000_000n, cacheReadNanoUsdPerMtok: 200_000_000n };
  await putModel(db, { id: 'switching', facts: {}, prices, now: new Date(clock.nowMs()) });
  const [price] = await db.sql<{ id: bigint }[]>`SELECT id FROM model_prices WHERE model_id = 'switching'`;
  const startedAtMs = clock.nowMs() - 8 * DAY_MS;
  const turn = { model: 'switching', priceId: Number(price?.id), sessionHash: 7, inputTokens: 10_000 };
  await addRequest('route_a', { ...turn, startedAtMs });
  await addRequest('route_b', { ...turn, startedAtMs: startedAtMs + 60_000 });
  expect(await lost()).toEqual([]);
  expect(await lost('30d')).toEqual([
    { model: 'switching', changes: 1, tokens: 10_000, costNanoUsd: '18000000' },
  ]);
});

it('shows the health checks of the chosen period, which are in no other row', async () => {
  const { db, clock } = site.deps;
  const { routes } = await costs('30d');
  const nowMs = clock.nowMs();
  const check = { model: 'small', provider: 'p', checks: 3, failures: 1, inputTokens: 33, outputTokens: 6 };
  const counts = [
    { ...check, routeId: 'route_a', costNanoUsd: 50n, hourMs: nowMs },
    { ...check, routeId: 'route_z', costNanoUsd: 900n, hourMs: nowMs - 8 * DAY_MS },
  ];
  await addHealthChecks(
    db,
    counts.map((each) => ({ ...each, lastCheckedAtMs: nowMs, lastError: null })),
  );
  const read = (period?: '7d' | '30d') =>
    operator.visitor.client.operator.costs.healthChecks.query({ period });
  expect(await read()).toEqual([
    { model: 'small', routeId: 'route_a', provider: 'p', checks: 3, failures: 1, costNanoUsd: '50' },
  ]);
  expect((await read('30d')).map(({ routeId }) => routeId)).toEqual(['route_z', 'route_a']);
  expect((await costs('30d')).routes).toEqual(routes);
});

it('is restricted to operators', async () => {
  const { client } = (await signUpVerified(site)).visitor;
  expect((await getRefusal(client.operator.costs.list.query({}))).code).toBe('FORBIDDEN');
  expect((await getRefusal(client.operator.costs.lostCacheReads.query({}))).code).toBe('FORBIDDEN');
  expect((await getRefusal(client.operator.costs.healthChecks.query({}))).code).toBe('FORBIDDEN');
});
