import { expect, it } from 'vitest';
import { readChoice } from './choice.ts';

it('shows the last 30 days by the day if nothing is chosen', () => {
  expect(readChoice({})).toMatchObject({
    range: '30d',
    span: { kind: 'days', days: 30 },
    step: 'day',
    group: 'model',
    metric: 'spend',
    isCompared: false,
  });
});

it('offers the steps that a span has room for, and takes no other', () => {
  expect(readChoice({ period: 'today' }).steps).toEqual(['hour', 'day']);
  expect(readChoice({ period: '7d', step: 'hour' })).toMatchObject({ step: 'hour', steps: ['hour', 'day'] });
  expect(readChoice({ period: '30d', step: 'hour' })).toMatchObject({ step: 'day', steps: ['day'] });
  expect(readChoice({ period: '90d' }).steps).toEqual(['day', 'month']);
  expect(readChoice({ period: '12m' })).toMatchObject({ step: 'month', steps: ['day', 'month'] });
});

it('prefers picked days, unless they end before they begin or are too many', () => {
  const picked = { from: '2026-11-01', to: '2026-11-02', period: '90d' } as const;
  expect(readChoice(picked)).toMatchObject({ range: null, span: { kind: 'dates' }, step: 'hour' });
  expect(readChoice({ ...picked, to: '2026-10-31' })).toMatchObject({ range: '90d' });
  expect(readChoice({ ...picked, from: '2020-01-01' })).toMatchObject({ range: '90d' });
});

it('shows only requests if grouped by status: failed ones have no other metric', () => {
  expect(readChoice({ group: 'status', metric: 'spend' }).metric).toBe('requests');
});
