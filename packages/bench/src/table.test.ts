import { expect, it } from 'vitest';
import { formatCount, formatFixed, formatTable } from './table.ts';

it('sets names to the left and figures to the right under an underlined header', () => {
  const table = formatTable([
    ['', 'req/s', 'p50'],
    ['nginx', '88,600', '0.7 ms'],
    ['gateway', '9', '3.1 ms'],
  ]);
  expect(table.split('\n')).toEqual([
    '          req/s     p50',
    '-------  ------  ------',
    'nginx    88,600  0.7 ms',
    'gateway       9  3.1 ms',
  ]);
});

it('shows a dash for what was not measured', () => {
  expect(formatCount(Number.NaN)).toBe('-');
  expect(formatFixed(Number.NaN, 1, ' ms')).toBe('-');
  expect(formatCount(12_345.6)).toBe('12,346');
  expect(formatFixed(8.04, 1, ' ms')).toBe('8.0 ms');
});
