import { usageHourly } from '../../../schema/requests.ts';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rollUsage } from '../rolls/roll-usage.ts';
import { listUsageForExport } from './export.ts';
import { listUsageGroups } from './groups.ts';
import { readUsageSeries } from './series.ts';

describe('usage by tag', () => {
  let database: TestDatabase;
  let accountId: string;
  const from = new Date('2026-11-19T00:00:00Z');
  const to = new Date('2026-11-21T00:00:00Z');

  beforeAll(async () => {
    database = await createTestDatabase();
    const { db } = database;
    ({ accountId } = await createAccountFixture(db, { email: 'one@example.com' }));
    const other = await createAccountFixture(db, { email: 'two@example.com' });
    const keys = [
      { owner: accountId, tags: ['ci', 'team'], cost: 1n },
      { owner: accountId, tags: ['ci'], cost: 20n },
      { owner: accountId, tags: [], cost: 300n },
      { owner: other.accountId, tags: ['ci'], cost: 4_000n },
    ];
    for (const { owner, tags, cost } of keys) {
      const { key } = await createKeyFixture(db, owner, {});
      await db.sql`UPDATE api_keys SET tags = ${tags} WHERE id = ${key.id}`;
      const hours = ['2026-11-19T05:00:00Z', '2026-11-20T05:00:00Z'].map((hour) => new Date(hour));
      await db.drizzle.insert(usageHourly).values(
        hours.map((hour) => ({
          hour,
          accountId: owner,
          keyId: key.id,
          model: 'm',
          requests: 1,
          costNanoUsd: cost,
        })),
      );
    }
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const listGroups = async (range: { model?: string; tag?: string } = {}) =>
    (
      await listUsageGroups(database.db, {
        range: { accountId, from, to, ...range },
        by: 'tag',
        order: 'cost',
        limit: 10,
      })
    ).map(({ id, requests, costNanoUsd }) => [id, requests, costNanoUsd]);

  it.each(['hours', 'sums'])('counts a key in the group of each of its tags, from %s', async (source) => {
    if (source === 'sums') await rollUsage(database.db, Date.parse('2026-11-22T00:00:00Z'));
    expect(await listGroups()).toEqual([
      ['', 2, 600n],
      ['ci', 4, 42n],
      ['team', 2, 2n],
    ]);
    expect(await listGroups({ model: 'none' })).toEqual([]);
  });

  it('can be limited to the keys of a tag, or to keys without tags', async () => {
    expect(await listGroups({ tag: 'team' })).toEqual([
      ['ci', 2, 2n],
      ['team', 2, 2n],
    ]);
    expect(await listGroups({ tag: '' })).toEqual([['', 2, 600n]]);
  });

  it.each([
    { ids: ['ci', ''], cells: [' 300', ' 300', 'ci 21', 'ci 21'] },
    { ids: ['team', 'ci'], cells: ['ci 21', 'ci 21', 'team 1', 'team 1'] },
    { ids: ['team'], cells: ['team 1', 'team 1'] },
    { ids: ['none'], cells: [] },
    { ids: [], cells: [] },
  ])('is charted by day, each of the tags $ids apart', async ({ ids, cells }) => {
    const charted = await readUsageSeries(database.db, {
      range: { accountId, from, to },
      bucket: 'day',
      timeZone: 'UTC',
      groups: { by: 'tag', ids },
    });
    expect(charted.map(({ group, costNanoUsd }) => `${group} ${costNanoUsd}`).toSorted()).toEqual(cells);
  });

  it('is exported page by page', async () => {
    const query = { range: { accountId, from, to }, by: 'tag' as const, limit: 2 };
    const first = await listUsageForExport(database.db, { ...query, after: undefined });
    expect(first.map(({ group }) => group)).toEqual(['', 'ci']);
    const second = await listUsageForExport(database.db, { ...query, after: 'ci' });
    expect(second.map(({ group, costNanoUsd }) => [group, costNanoUsd])).toEqual([['team', 2n]]);
  });
});
