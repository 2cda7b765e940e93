import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usageHourly } from '../../../schema/requests.ts';
import { readMonthSpend } from './forecast.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');

describe('the forecast of a month', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  async function createUsage(costs: Record<string, bigint>): Promise<string> {
    const { db } = database;
    const { accountId } = await createAccountFixture(db);
    const { key } = await createKeyFixture(db, accountId);
    const rows = Object.entries(costs).map(([hour, costNanoUsd]) => ({
      hour: new Date(hour),
      accountId,
      keyId: key.id,
      model: 'm',
      costNanoUsd,
    }));
    if (rows.length > 0) await db.drizzle.insert(usageHourly).values(rows);
    return accountId;
  }
  const read = async (accountId: string, timeZone = 'UTC', nowMs = NOW_MS) =>
    readMonthSpend(database.db, { accountId, timeZone, nowMs });

  it('adds the average of the last 7 full days for the time that is left', async () => {
    const accountId = await createUsage({
      '2026-10-31T23:00:00Z': 1_000_000n,
      '2026-11-01T00:00:00Z': 500n,
      '2026-11-13T05:00:00Z': 300n,
      '2026-11-19T23:00:00Z': 400n,
      // Today is not a full day.
      '2026-11-20T03:00:00Z': 9_000n,
    });
    const month = await read(accountId);
    expect([month.from, month.to].map((at) => at.toISOString())).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
    ]);
    expect(month.spentNanoUsd).toBe(10_200n);
    // 700 in 7 days, for 10.5 days.
    expect(month.forecastNanoUsd).toBe(10_200n + 1_050n);
  });

  it('is of the month of the reader’s calendar', async () => {
    const accountId = await createUsage({ '2026-10-20T05:00:00Z': 1n, '2026-11-01T03:00:00Z': 7n });
    const nowMs = Date.parse('2026-11-01T03:30:00Z');
    expect(await read(accountId, 'UTC', nowMs)).toMatchObject({ spentNanoUsd: 7n });
    const newYork = await read(accountId, 'America/New_York', nowMs);
    expect(newYork).toMatchObject({ spentNanoUsd: 8n, from: new Date('2026-10-01T04:00:00Z') });
  });

  it('is absent without a week of use, and if the week had none', async () => {
    expect(await read(await createUsage({}))).toMatchObject({ spentNanoUsd: 0n, forecastNanoUsd: null });
    const young = await createUsage({ '2026-11-14T00:00:00Z': 5n, '2026-11-19T00:00:00Z': 5n });
    expect(await read(young)).toMatchObject({ spentNanoUsd: 10n, forecastNanoUsd: null });
    const idle = await createUsage({ '2026-11-02T00:00:00Z': 5n });
    expect(await read(idle)).toMatchObject({ spentNanoUsd: 5n, forecastNanoUsd: null });
  });

  it('counts the last hour of a first day of 25 hours', async () => {
    const accountId = await createUsage({ '2026-10-25T22:00:00Z': 7n });
    const nowMs = Date.parse('2026-10-31T23:00:00Z');
    expect(await read(accountId, 'Europe/Berlin', nowMs)).toMatchObject({
      from: new Date('2026-10-31T23:00:00Z'),
      forecastNanoUsd: expect.any(BigInt) as bigint,
    });
  });
});
