import { LATENCY_BOUNDS_MS } from '@tollgate/core/requests/latency';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFirstSteps } from './first-steps.ts';
import { listUsageGroups, nameKeys } from './groups.ts';
import { readUsageSeries } from './series.ts';
import { readUsageTimes, type TimeCell } from './times.ts';
import { addUsageHour } from './usage-hour.fixture.ts';

const FROM = new Date('2026-11-18T23:00:00Z');
const TO = new Date('2026-11-20T23:00:00Z');

describe('usage of an account', () => {
  let database: TestDatabase;
  let accountId: string;
  let strangerId: string;
  const keyIds: string[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    const { db } = database;
    ({ accountId } = await createAccountFixture(db));
    const stranger = await createAccountFixture(db);
    strangerId = stranger.accountId;
    for (const name of ['production', 'evals']) {
      const { key } = await createKeyFixture(db, accountId, { name, maxBudgetUsd: '10' });
      keyIds.push(key.id);
    }
    const [production = '', evals = ''] = keyIds;
    const { key: foreign } = await createKeyFixture(db, strangerId);
    const add = (hour: string, row: Omit<Parameters<typeof addUsageHour>[1], 'hour' | 'accountId'>) =>
      addUsageHour(db, { hour, accountId, ...row });
    // In Berlin: 18 November, out of range by a moment.
    await add('2026-11-18T22:00:00Z', { keyId: production, model: 'gpt', costNanoUsd: 1_000_000n });
    // The 19th, in its first hour and its last.
    await add('2026-11-18T23:00:00Z', {
      keyId: production,
      model: 'gpt',
      costNanoUsd: 5n,
      requests: 3,
      errors: 1,
    });
    await add('2026-11-19T22:00:00Z', {
      keyId: evals,
      model: 'claude',
      costNanoUsd: 7n,
      inputTokens: 40,
      outputTokens: 2,
    });
    // The 20th, from its first hour on.
    await add('2026-11-19T23:00:00Z', {
      keyId: production,
      model: 'claude',
      costNanoUsd: 11n,
      cacheReadTokens: 60,
    });
    await add('2026-11-20T12:00:00Z', { keyId: production, model: 'tiny', costNanoUsd: 1n });
    await add('2026-11-20T23:00:00Z', { keyId: production, model: 'gpt', costNanoUsd: 1_000_000n });
    await addUsageHour(db, {
      hour: '2026-11-20T12:00:00Z',
      accountId: strangerId,
      keyId: foreign.id,
      model: 'gpt',
      costNanoUsd: 500n,
    });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const range = () => ({ accountId, from: FROM, to: TO });
  const series = (groups: Parameters<typeof readUsageSeries>[1]['groups']) =>
    readUsageSeries(database.db, { range: range(), bucket: 'day', timeZone: 'Europe/Berlin', groups });

  it('is summed by the reader’s day, with the other groups in one sum', async () => {
    const cells = await series({ by: 'model', ids: ['claude', 'gpt'] });
    const summary = cells.map(({ startMs, group, costNanoUsd }) => [
      new Date(startMs).toISOString().slice(0, 16),
      group,
      costNanoUsd,
    ]);
    expect(new Set(summary)).toEqual(
      new Set([
        ['2026-11-18T23:00', 'gpt', 5n],
        ['2026-11-18T23:00', 'claude', 7n],
        ['2026-11-19T23:00', 'claude', 11n],
        ['2026-11-19T23:00', null, 1n],
      ]),
    );
  });

  it('counts all input, and errors separately', async () => {
    const cells = await series(null);
    expect(cells).toHaveLength(2);
    const ofDay = (start: string) => cells.find(({ startMs }) => startMs === Date.parse(start));
    expect(ofDay('2026-11-18T23:00:00Z')).toMatchObject({
      group: null,
      requests: 4,
      errors: 1,
      inputTokens: 40,
    });
    expect(ofDay('2026-11-19T23:00:00Z')).toMatchObject({
      requests: 2,
      errors: 0,
      inputTokens: 60,
      outputTokens: 0,
    });
  });

  it('is grouped by hour and by month', async () => {
    const query = { range: range(), timeZone: 'Europe/Berlin', groups: null };
    const hours = await readUsageSeries(database.db, { ...query, bucket: 'hour' });
    expect(hours.map((cell) => new Date(cell.startMs).toISOString()).toSorted()).toEqual([
      '2026-11-18T23:00:00.000Z',
      '2026-11-19T22:00:00.000Z',
      '2026-11-19T23:00:00.000Z',
      '2026-11-20T12:00:00.000Z',
    ]);
    const months = await readUsageSeries(database.db, { ...query, bucket: 'month' });
    expect(months).toMatchObject([{ startMs: Date.parse('2026-10-31T23:00:00Z'), costNanoUsd: 24n }]);
  });

  it('lists the largest groups first, by the requested figure, and no more than requested', async () => {
    const { db } = database;
    const list = (order: 'cost' | 'requests' | 'tokens', limit: number) =>
      listUsageGroups(db, { range: range(), by: 'model', order, limit });
    expect((await list('cost', 2)).map(({ id, costNanoUsd }) => [id, costNanoUsd])).toEqual([
      ['claude', 18n],
      ['gpt', 5n],
    ]);
    expect((await list('requests', 1)).map(({ id }) => id)).toEqual(['gpt']);
    expect((await list('tokens', 1)).map(({ id }) => id)).toEqual(['claude']);
    const named = { range: range(), by: 'model', order: 'cost', limit: 9, ids: ['tiny'] } as const;
    expect((await listUsageGroups(db, { ...named, ids: ['tiny'] })).map(({ id }) => id)).toEqual(['tiny']);
  });

  it('can be that of one key or one model', async () => {
    const [, evals = ''] = keyIds;
    const { db } = database;
    const ofKey = { ...range(), keyId: evals };
    const keys = await listUsageGroups(db, { range: ofKey, by: 'key', order: 'cost', limit: 9 });
    expect(keys).toMatchObject([{ id: evals, costNanoUsd: 7n }]);
    const ofModel = { ...range(), model: 'claude' };
    const models = await listUsageGroups(db, { range: ofModel, by: 'model', order: 'cost', limit: 9 });
    expect(models).toMatchObject([{ id: 'claude', costNanoUsd: 18n }]);
  });

  it('adds up how long requests took', async () => {
    const { db } = database;
    const { accountId } = await createAccountFixture(db);
    const { key } = await createKeyFixture(db, accountId);
    const counts = (bucket: number, count: number) =>
      Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, (_, index) => (index === bucket ? count : 0));
    const add = (hour: string, latency: number[], firstByte: number[]) =>
      addUsageHour(db, {
        hour,
        accountId,
        keyId: key.id,
        latencyCounts: latency,
        firstByteCounts: firstByte,
      });
    await add('2026-11-19T22:00:00Z', counts(3, 2), counts(0, 1));
    await add('2026-11-20T12:00:00Z', counts(3, 5), counts(28, 1));
    await add('2026-11-20T13:00:00Z', counts(4, 1), counts(28, 2));
    const query = { range: { ...range(), accountId }, bucket: 'day', timeZone: 'Europe/Berlin' } as const;
    const latency = await readUsageTimes(db, { ...query, of: 'latency' });
    const ofDay = (cells: TimeCell[], start: string) =>
      cells.find(({ startMs }) => startMs === Date.parse(start))?.counts;
    expect(ofDay(latency, '2026-11-18T23:00:00Z')).toEqual(counts(3, 2));
    expect(ofDay(latency, '2026-11-19T23:00:00Z')).toEqual(counts(3, 5).with(4, 1));
    const firstByte = await readUsageTimes(db, { ...query, of: 'firstByte' });
    expect(ofDay(firstByte, '2026-11-19T23:00:00Z')).toEqual(counts(28, 3));
  });

  it('names the keys of the account, and no keys of other accounts', async () => {
    const query = { ids: keyIds, nowMs: Date.parse('2026-11-20T12:00:00Z') };
    const own = await nameKeys(database.db, { accountId, ...query });
    expect(new Set(own.map(({ name }) => name))).toEqual(new Set(['production', 'evals']));
    expect(own[0]).toMatchObject({ maxBudgetNanoUsd: 10_000_000_000n, hasEnded: false });
    expect(await nameKeys(database.db, { accountId: strangerId, ...query })).toEqual([]);
  });

  it('reports how far an account has come', async () => {
    const { db } = database;
    const fresh = await createAccountFixture(db);
    expect(await readFirstSteps(db, fresh.accountId)).toEqual({ hasKey: false, hasSucceeded: false });
    const { key } = await createKeyFixture(db, fresh.accountId);
    await addUsageHour(db, {
      hour: '2026-11-20T12:00:00Z',
      accountId: fresh.accountId,
      keyId: key.id,
      requests: 2,
      errors: 2,
    });
    expect(await readFirstSteps(db, fresh.accountId)).toEqual({ hasKey: true, hasSucceeded: false });
    expect(await readFirstSteps(db, accountId)).toEqual({ hasKey: true, hasSucceeded: true });
  });
});
