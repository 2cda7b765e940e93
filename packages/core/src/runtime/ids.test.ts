import { expect, it } from 'vitest';
import { createId } from './ids.ts';

it('creates IDs with a prefix that sort by time', () => {
  const ids = [1, 2, 1_795_209_599_167, 1_795_209_599_168, 2 ** 48 - 1].map((nowMs) =>
    createId('req', nowMs),
  );
  expect(ids[0]).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(ids.toSorted()).toEqual(ids);
});

it('creates increasing IDs, also within a millisecond', () => {
  let [last, problems] = [createId('req', 1), 0];
  for (let made = 0; made < 2_500_000; made++) {
    const id = createId('req', 1);
    if (id <= last) problems++;
    last = id;
  }
  expect(problems).toBe(0);
});

it('creates unpredictable IDs', () => {
  const starts = Array.from({ length: 1_000 }, (_, nowMs) => createId('req', nowMs).slice(-16));
  expect(new Set(starts).size).toBe(1_000);
  const steps = Array.from({ length: 1_000 }, () => createId('req', 1).slice(-4));
  expect(new Set(steps).size).toBeGreaterThan(900);
});
