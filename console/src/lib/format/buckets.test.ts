import { expect, it } from 'vitest';
import { labelBuckets } from './buckets.ts';

it('names hours in the reader’s time zone, with a repeated hour when clocks go back', () => {
  const starts = ['2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'];
  const labels = labelBuckets(starts, 'hour', 'Europe/Berlin', 'en-GB');
  expect(labels.map(({ label }) => label)).toEqual(['02:00', '02:00']);
  expect(labels.map(({ title }) => title)).toEqual(['Sun 25 Oct, 02:00–02:00', 'Sun 25 Oct, 02:00–03:00']);
});

it('names days by their weekday while they are few', () => {
  const starts = Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(2026, 10, 14 + index)).toISOString(),
  );
  const few = labelBuckets(starts.slice(0, 7), 'day', 'UTC', 'en-GB');
  expect(few[0]).toMatchObject({ label: 'Sat 14', title: 'Sat, 14 Nov 2026' });
  expect(labelBuckets(starts, 'day', 'UTC', 'en-GB')[0]?.label).toBe('14 Nov');
});

it('names months', () => {
  const [month] = labelBuckets(['2026-10-31T23:00:00Z'], 'month', 'Europe/Berlin', 'en-GB');
  expect(month).toMatchObject({ label: 'Nov 26', title: 'November 2026' });
});

it('writes days as the locale of the reader does', () => {
  const starts = Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(2026, 10, 14 + index)).toISOString(),
  );
  expect(labelBuckets(starts, 'day', 'UTC', 'en-US')[0]).toMatchObject({
    label: 'Nov 14',
    title: 'Sat, Nov 14, 2026',
  });
});
