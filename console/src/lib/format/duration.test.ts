import { expect, it } from 'vitest';
import { formatDuration } from './duration.ts';

it.each([
  [0, '0 ms'],
  [431, '431 ms'],
  [1_240, '1.24 s'],
  [12_440, '12.4 s'],
  [125_000, '2 min 5 s'],
])('%d milliseconds read %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
