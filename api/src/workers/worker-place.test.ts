import { expect, it } from 'vitest';
import { encodePlace, getSpoolDirectory, workerPlaceSchema } from './worker-place.ts';

it('is read as it was written', () => {
  expect(workerPlaceSchema.parse(encodePlace({ slot: 2, workers: 3 }))).toMatchObject({
    slot: 2,
    workers: 3,
  });
});

it.each(['yes', '{}', '{"protocol":1,"slot":1,"workers":2}'])('refuses %s', (text) => {
  expect(workerPlaceSchema.safeParse(text).success).toBe(false);
});

it('gives the first worker the directory of an api without workers', () => {
  expect([1, 2].map((slot) => getSpoolDirectory('/data', slot))).toEqual([
    '/data/spool',
    '/data/spool/worker-2',
  ]);
});
