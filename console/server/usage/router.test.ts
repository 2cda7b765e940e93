import { LATENCY_BOUNDS_MS } from '@tollgate/core/requests/latency';
import { createKeyFixture } from '@tollgate/testing/factories';
import { usageHourly } from '@tollgate/db/schema/requests';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const HOUR_MS = 3_600_000;
const WEEK = { span: { kind: 'days', days: 7 }, bucket: 'day', timeZone: 'Europe/Berlin' } as const;

describe('usage', () => {
  let site: TestConsole;
  let owner: SignedIn;
  let keyId: string;
  beforeAll(async () => {
    site = await createTestConsole();
    owner = await signUpVerified(site);
    const { key } = await createKeyFixture(site.deps.db, owner.accountId, {
      name: 'production',
      maxBudgetUsd: '5',
    });
    keyId = key.id;
    for (let model = 0; model < 7; model++)
      await use({
        hoursAgo: 0,
        model: `model-${model}`,
        costNanoUsd: BigInt(10 - model),
        requests: 2,
        errors: 1,
      });
    await use({ hoursAgo: 8 * 24, model: 'model-0', costNanoUsd: 4n, requests: 1 });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  async function use({
    hoursAgo,
    ...row
  }: { hoursAgo: number } & Omit<Partial<typeof usageHourly.$inferInsert>, 'hour'> & { model: string }) {
    const nowMs = site.deps.clock.nowMs();
    const hour = new Date(nowMs - (nowMs % HOUR_MS) - hoursAgo * HOUR_MS);
    const { db } = site.deps;
    await db.drizzle.insert(usageHourly).values({ accountId: owner.accountId, keyId, ...row, hour });
  }
  const getCounts = (counts: Record<number, number>) =>
    Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, (_, bucket) => counts[bucket] ?? 0);
  /** The running hour, or the same one of some day before, of a separate key. */
  async function addHour(
    { accountId }: SignedIn,
    { daysAgo = 0, ...row }: { daysAgo?: number } & Partial<typeof usageHourly.$inferInsert>,
  ) {
    const { db, clock } = site.deps;
    const { key } = await createKeyFixture(db, accountId);
    const hour = new Date(Math.floor(clock.nowMs() / HOUR_MS) * HOUR_MS - daysAgo * 24 * HOUR_MS);
    await db.drizzle.insert(usageHourly).values({ accountId, keyId: key.id, model: 'm', ...row, hour });
  }
  const report = (input: object = {}) =>
    owner.visitor.client.usage.report.query({
      accountId: owner.accountId,
      ...WEEK,
      groupBy: 'model',
      ...input,
    });

  it('charts the five largest models and the others as one, and lists all of them', async () => {
    const { series, groups, totals, current } = await report();
    expect(series.map(({ id }) => id)).toEqual(['model-0', 'model-1', 'model-2', 'model-3', 'model-4', null]);
    expect(series[0]?.points.costNanoUsd).toEqual(['0', '0', '0', '0', '0', '0', '10']);
    expect(series[5]?.points.costNanoUsd.at(-1)).toBe('9');
    expect(groups.map(({ id }) => id)).toHaveLength(7);
    expect(totals).toEqual({ requests: 14, errors: 7, inputTokens: 0, outputTokens: 0, costNanoUsd: '49' });
    expect(current.starts).toHaveLength(7);
  });

  it('groups by the tags of keys, which may overlap, and can be limited to one', async () => {
    const person = await signUpVerified(site);
    const { db, clock } = site.deps;
    const hour = new Date(Math.floor(clock.nowMs() / HOUR_MS) * HOUR_MS);
    for (const [tags, costNanoUsd] of [
      [['ci', 'team'], 5n],
      [['ci'], 30n],
      [[], 100n],
    ] as const) {
      const { key } = await createKeyFixture(db, person.accountId);
      await db.sql`UPDATE api_keys SET tags = ${[...tags]} WHERE id = ${key.id}`;
      const row = { accountId: person.accountId, keyId: key.id, hour, model: 'm', requests: 1, costNanoUsd };
      await db.drizzle.insert(usageHourly).values(row);
    }
    const query = { accountId: person.accountId, ...WEEK, groupBy: 'tag' } as const;
    const { report: read, groupTimes } = person.visitor.client.usage;
    const all = await read.query(query);
    expect(all.groups.map(({ id, name, figures }) => [id, name, figures.costNanoUsd])).toEqual([
      ['', '', '100'],
      ['ci', 'ci', '35'],
      ['team', 'team', '5'],
    ]);
    expect([all.totals.costNanoUsd, all.others]).toEqual(['135', null]);
    expect(all.series.map(({ id, points }) => [id, points.costNanoUsd.at(-1)])).toEqual([
      ['', '100'],
      ['ci', '35'],
      ['team', '5'],
    ]);
    const { groupBy: _groupBy, ...span } = query;
    const times = await groupTimes.query({ ...span, groupBy: 'tag', ids: ['ci'] });
    expect(times.groups.map(({ id }) => id)).toEqual(['ci']);
    const one = await read.query({ ...query, groupBy: 'key', tag: 'team' });
    expect([one.totals.costNanoUsd, one.groups.length]).toEqual(['5', 1]);
  });

  it('compares with the period before', async () => {
    const { previousTotals, previous, groups, others } = await report();
    expect(previousTotals).toMatchObject({ requests: 1, costNanoUsd: '4' });
    expect(previous.points.costNanoUsd.filter((cost) => cost !== '0')).toEqual(['4']);
    expect(groups[0]).toMatchObject({ id: 'model-0', name: 'model-0', previous: { costNanoUsd: '4' } });
    expect(others).toBeNull();
  });

  it('filters by one key and returns its name', async () => {
    expect(await report({ keyId })).toMatchObject({ keyName: 'production', totals: { requests: 14 } });
    expect(await report()).toMatchObject({ keyName: null });
  });

  it('returns the names of keys', async () => {
    const { groups } = await report({ groupBy: 'key' });
    expect(groups).toMatchObject([{ id: keyId, name: 'production', figures: { requests: 14 } }]);
  });

  it('splits requests into succeeded, failed and disconnected', async () => {
    const person = await signUpVerified(site);
    await addHour(person, { requests: 9, errors: 2, latencyCounts: getCounts({ 10: 3, 12: 1 }) });
    const ask = { accountId: person.accountId, ...WEEK, groupBy: 'status' } as const;
    const { series } = await person.visitor.client.usage.report.query(ask);
    const last = series.map(({ id, points }) => [id, points.requests.at(-1)]);
    expect(last).toEqual([
      ['succeeded', 4],
      ['failed', 2],
      ['left', 3],
    ]);
  });

  it('returns the latency of each group, and of all groups together by their counts', async () => {
    const person = await signUpVerified(site);
    const quick = {
      model: 'quick',
      latencyCounts: getCounts({ 3: 99 }),
      firstByteCounts: getCounts({ 0: 99 }),
    };
    await addHour(person, { requests: 99, ...quick });
    await addHour(person, { requests: 1, model: 'slow', latencyCounts: getCounts({ 14: 1 }) });
    const { groups, others, total } = await person.visitor.client.usage.groupTimes.query({
      accountId: person.accountId,
      ...WEEK,
      groupBy: 'model',
      ids: ['quick'],
    });
    expect(groups.map(({ id }) => id)).toEqual(['quick']);
    expect(groups[0]?.latency.p95Ms).toBeLessThanOrEqual(34);
    expect(groups[0]?.firstByte.p50Ms).toBeLessThanOrEqual(10);
    expect(others.latency.p50Ms).toBeGreaterThan(1_998);
    expect(others.firstByte.p50Ms).toBeNull();
    expect(total.latency.p95Ms).toBeLessThanOrEqual(34);
  });

  it('returns the spend of today, 7 days and 30 days, each with the previous period', async () => {
    const person = await signUpVerified(site);
    const spent = [
      [0, 1n],
      [2, 10n],
      [8, 100n],
      [20, 1_000n],
      [40, 10_000n],
      [70, 100_000n],
    ] as const;
    for (const [daysAgo, costNanoUsd] of spent) await addHour(person, { daysAgo, costNanoUsd });
    const ask = { accountId: person.accountId, timeZone: 'Europe/Berlin' };
    expect(await person.visitor.client.usage.spend.query(ask)).toEqual({
      today: { costNanoUsd: '1', previousNanoUsd: '0' },
      week: { costNanoUsd: '11', previousNanoUsd: '100' },
      month: { costNanoUsd: '1111', previousNanoUsd: '10000' },
    });
  });

  it('returns latency on request', async () => {
    const person = await signUpVerified(site);
    const { db } = site.deps;
    const { key } = await createKeyFixture(db, person.accountId);
    const latencyCounts = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0).with(10, 9);
    const hour = new Date(Math.floor(site.deps.clock.nowMs() / HOUR_MS) * HOUR_MS);
    await db.drizzle
      .insert(usageHourly)
      .values({ accountId: person.accountId, keyId: key.id, model: 'm', hour, requests: 9, latencyCounts });
    const ask = { accountId: person.accountId, ...WEEK, groupBy: 'model' } as const;
    const { times } = await person.visitor.client.usage.report.query({ ...ask, times: ['latency'] });
    expect(times.firstByte).toBeNull();
    expect(times.latency?.p50Ms).toBeGreaterThan(391);
    expect(times.latency?.p95Ms).toBeLessThan(588);
    expect(times.latency?.points.map(({ p50Ms }) => p50Ms === null)).toEqual([
      ...Array.from({ length: 6 }, () => true),
      false,
    ]);
    expect(times.latency?.previous).toEqual({ p50Ms: null, p95Ms: null });
  });

  it('names the keys that spent most, with their budget', async () => {
    const { keys } = await owner.visitor.client.usage.topKeys.query({ accountId: owner.accountId, ...WEEK });
    const budget = { spentNanoUsd: '0', maxNanoUsd: '5000000000' };
    expect(keys).toEqual([{ id: keyId, name: 'production', requests: 14, costNanoUsd: '49', budget }]);
  });

  it('returns the progress of onboarding', async () => {
    const { client } = owner.visitor;
    const steps = await client.usage.firstSteps.query({ accountId: owner.accountId });
    expect(steps).toEqual({ hasKey: true, hasSucceeded: true });
  });

  it('is available to viewers, and only to members', async () => {
    const viewer = await joinAs(site, 'viewer', owner.accountId);
    const ask = { accountId: owner.accountId, ...WEEK, groupBy: 'key' } as const;
    expect((await viewer.visitor.client.usage.report.query(ask)).totals.requests).toBe(14);
    const stranger = await signUpVerified(site);
    const { usage } = stranger.visitor.client;
    for (const call of [usage.report.query(ask), usage.topKeys.query(ask), usage.firstSteps.query(ask)])
      expect(await getRefusal(call)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows nothing of a key of another account', async () => {
    const stranger = await signUpVerified(site);
    const ask = { accountId: stranger.accountId, ...WEEK, groupBy: 'key', keyId } as const;
    const { totals, groups, keyName } = await stranger.visitor.client.usage.report.query(ask);
    expect(keyName).toBeNull();
    expect(totals.requests).toBe(0);
    expect(groups).toEqual([]);
  });

  it.each([
    [{ bucket: 'hour', span: { kind: 'days', days: 15 } }, /14 days/],
    [{ span: { kind: 'dates', from: '2026-11-20', to: '2026-11-19' } }, /before the start/],
    [{ timeZone: 'Europe/Atlantis' }, /time zone/],
    [{ timeZone: '+05:30' }, /./],
  ])('refuses %j', async (input, message) => {
    const refusal = await getRefusal(report(input));
    expect(refusal.code).toBe('BAD_REQUEST');
    expect(refusal.message).toMatch(message);
  });
});
