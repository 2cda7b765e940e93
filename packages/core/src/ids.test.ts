import { expect, it } from 'vitest';
import { createId } from './ids.ts';

it('makes ids that say what they name and sort by time', () => {
  const ids = [1, 2, 1_795_209_599_167, 1_795_209_599_168, 2 ** 48 - 1].map((nowMs) =>
    createId('req', nowMs),
  );
  expect(ids[0]).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(ids.toSorted()).toEqual(ids);
});

it('makes no id twice within a millisecond', () => {
  expect(new Set(Array.from({ length: 50_000 }, () => createId('req', 1))).size).toBe(50_000);
});
