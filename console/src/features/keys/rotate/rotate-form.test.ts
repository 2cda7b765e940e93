import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rotateFormSchema } from './rotate-form.ts';

const NOW = '2026-11-22T12:00:00.000Z';

beforeAll(() => {
  vi.useFakeTimers({ now: Date.parse(NOW) });
});
afterAll(() => {
  vi.useRealTimers();
});

it.each([
  [
    { overlap: '24h', endsAt: '', keepUsd: '$1,200.50' },
    { endsAt: '2026-11-23T12:00:00.000Z', keepUsd: '1200.50' },
  ],
  [
    { overlap: '1h', endsAt: 'nonsense', keepUsd: '' },
    { endsAt: '2026-11-22T13:00:00.000Z', keepUsd: '0' },
  ],
  [
    { overlap: 'none', endsAt: '', keepUsd: '5' },
    { endsAt: null, keepUsd: '0' },
  ],
])('parses %o', (form, rotation) => {
  expect(rotateFormSchema.parse(form)).toEqual(rotation);
});

it.each([
  [{ overlap: 'on', endsAt: '', keepUsd: '0' }, 'endsAt'],
  [{ overlap: 'on', endsAt: '2026-11-22T11:00:00Z', keepUsd: '0' }, 'endsAt'],
  [{ overlap: 'on', endsAt: '2026-12-22T12:00:01Z', keepUsd: '0' }, 'endsAt'],
  [{ overlap: '7d', endsAt: '', keepUsd: 'half' }, 'keepUsd'],
])('rejects %o at its field', (form, field) => {
  expect(rotateFormSchema.safeParse(form).error?.issues[0]?.path).toEqual([field]);
});
