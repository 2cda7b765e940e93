import { expect, it } from 'vitest';
import { formatDuration, formatDurationPair } from './duration.ts';

it.each([
  [0, '0 ms'],
  [431, '431 ms'],
  [1_240, '1.24 s'],
  [12_440, '12.4 s'],
  [125_000, '2 min 5 s'],
])('%d milliseconds read %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

it.each([
  [331, 545, ['331', '545 ms']],
  [1_240, 12_440, ['1.24', '12.4 s']],
  [431, 1_240, ['431 ms', '1.24 s']],
  [12_440, 125_000, ['12.4 s', '2 min 5 s']],
  [125_000, 185_000, ['2 min 5 s', '3 min 5 s']],
])('%d and %d milliseconds read %j', (firstMs, secondMs, texts) => {
  expect(formatDurationPair(firstMs, secondMs)).toEqual(texts);
});
