import { expect, it } from 'vitest';
import { formatBytes } from './bytes.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [8192, '8.2 kB'],
  [12_345_678, '12.3 MB'],
  [512_000_000, '512 MB'],
  [7_300_000_000_000, '7.3 TB'],
])('writes %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
