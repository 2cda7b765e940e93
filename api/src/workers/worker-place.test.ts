import { expect, it } from 'vitest';
import { encodePlace, getSpoolDirectory, workerPlaceSchema } from './worker-place.ts';

it('is read as it was written', () => {
  const place = { slot: 2, workers: 3, listenFds: 8 };
  expect(workerPlaceSchema.parse(encodePlace(place))).toMatchObject(place);
});

it('has one file descriptor of its socket from a supervisor of an earlier release', () => {
  expect(workerPlaceSchema.parse('{"protocol":2,"slot":1,"workers":2}')).toMatchObject({ listenFds: 1 });
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
