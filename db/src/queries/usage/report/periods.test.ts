import { findLastDays } from '@tollgate/core/requests/last-days';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUsagePeriods, isKnownTimeZone, type UsageBucket, type UsageSpan } from './periods.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

describe('the periods of a report', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const find = (span: UsageSpan, bucket: UsageBucket, timeZone: string, now: string) =>
    findUsagePeriods(database.db, { span, bucket, timeZone, nowMs: Date.parse(now) });
  const written = (dates: Date[]) => dates.map((date) => date.toISOString().slice(0, 16));

  it('begin at midnight in the reader’s time zone', async () => {
    const { current } = await find({ kind: 'days', days: 3 }, 'day', 'Europe/Berlin', '2026-11-20T23:30:00Z');
    expect(written(current.starts)).toEqual(['2026-11-18T23:00', '2026-11-19T23:00', '2026-11-20T23:00']);
    expect(written([current.from, current.to])).toEqual(['2026-11-18T23:00', '2026-11-21T23:00']);
  });

  it('compare a running period with the same part of the preceding one', async () => {
    const span = { kind: 'days', days: 7 } as const;
    const { previous } = await find(span, 'day', 'UTC', '2026-11-20T15:20:00Z');
    expect(written([previous.from, previous.to])).toEqual(['2026-11-07T00:00', '2026-11-13T16:00']);
    expect(previous.starts).toHaveLength(7);
  });

  it('compare a past span with the whole preceding one', async () => {
    const span = { kind: 'dates', from: '2026-10-01', to: '2026-10-10' } as const;
    const { current, previous } = await find(span, 'day', 'UTC', '2026-11-20T15:20:00Z');
    expect(written([current.from, current.to])).toEqual(['2026-10-01T00:00', '2026-10-11T00:00']);
    expect(written([previous.from, previous.to])).toEqual(['2026-09-21T00:00', '2026-10-01T00:00']);
  });

  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-11-20', 24],
  ])('give %s in Berlin %i hours', async (date, hours) => {
    const span = { kind: 'dates', from: date, to: date } as const;
    const { current } = await find(span, 'hour', 'Europe/Berlin', '2026-11-20T12:00:00Z');
    expect(current.starts).toHaveLength(hours);
    const apart = current.starts
      .slice(1)
      .map((start, index) => start.getTime() - Number(current.starts[index]));
    expect(new Set(apart)).toEqual(new Set([HOUR_MS]));
    expect(current.starts[0]).toEqual(current.from);
  });

  it('contain every midnight of the time zone, also on days of clock changes', async () => {
    const span = { kind: 'dates', from: '2026-10-24', to: '2026-10-26' } as const;
    const { current } = await find(span, 'day', 'Europe/Berlin', '2026-11-20T12:00:00Z');
    expect(written(current.starts)).toEqual(['2026-10-23T22:00', '2026-10-24T22:00', '2026-10-25T23:00']);
  });

  it('begin with the first whole hour of UTC if midnight is between two', async () => {
    const span = { kind: 'dates', from: '2026-11-20', to: '2026-11-20' } as const;
    const { current } = await find(span, 'hour', 'Asia/Kolkata', '2026-11-20T12:00:00Z');
    expect(written([current.from])).toEqual(['2026-11-19T18:30']);
    expect(written(current.starts.slice(0, 1))).toEqual(['2026-11-19T19:00']);
    expect(current.starts).toHaveLength(24);
  });

  it('count calendar months', async () => {
    const span = { kind: 'months', months: 12 } as const;
    const { current, previous } = await find(span, 'month', 'UTC', '2026-11-20T15:20:00Z');
    expect(written(current.starts.slice(0, 2))).toEqual(['2025-12-01T00:00', '2026-01-01T00:00']);
    expect(current.starts).toHaveLength(12);
    expect(written([previous.from, previous.to])).toEqual(['2024-12-01T00:00', '2025-11-20T16:00']);
  });

  it('begin with the month in which a span of days begins', async () => {
    const span = { kind: 'dates', from: '2026-09-15', to: '2026-11-02' } as const;
    const { current } = await find(span, 'month', 'UTC', '2026-11-20T15:20:00Z');
    expect(written(current.starts)).toEqual(['2026-09-01T00:00', '2026-10-01T00:00', '2026-11-01T00:00']);
    expect(current.to.getTime() - current.from.getTime()).toBe(49 * DAY_MS);
  });

  it.each([
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Havana',
    'Asia/Beirut',
    'Africa/Cairo',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
  ])('are the last days that pages and the command line name in %s', async (timeZone) => {
    // Every 41 hours of a year, so that each clock change is near the start or the end of some span.
    for (let nowMs = Date.UTC(2026, 0, 1); nowMs < Date.UTC(2027, 0, 1); nowMs += 41 * HOUR_MS) {
      for (const days of [1, 30]) {
        const span = { kind: 'days', days } as const;
        const { current } = await findUsagePeriods(database.db, { span, bucket: 'month', timeZone, nowMs });
        const { fromMs, toMs } = findLastDays({ days, timeZone, nowMs });
        expect(written([new Date(fromMs), new Date(toMs)])).toEqual(written([current.from, current.to]));
      }
    }
  });

  it('know the zones that the database knows', async () => {
    expect(await isKnownTimeZone(database.db, 'Europe/Berlin')).toBe(true);
    expect(await isKnownTimeZone(database.db, 'Europe/Atlantis')).toBe(false);
  });
});
