import { expect, it } from 'vitest';
import { countValues } from './count-values.ts';

/** Values, and names of members. */
function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inner = Object.values(value).reduce((sum: number, each) => sum + count(each), 0);
  return 1 + inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

it.each([
  '1',
  '"a, [b] {c}: d"',
  '["\\"", ",", {"a":[1,2,{"b\\\\":[3,"]"]}]}]',
  '{"a":{"b":{"c":[[],[],{}]}}}',
  JSON.stringify(
    Array.from({ length: 50 }, (_, at) => ({ at, text: `"${'\\'.repeat(at)}`, list: [at, [at]] })),
  ),
])('counts at least the values and names of %s, and at most twice as many', (json) => {
  const exact = count(JSON.parse(json));
  const counted = countValues(json, Infinity);
  expect(counted).toBeGreaterThanOrEqual(exact);
  expect(counted).toBeLessThanOrEqual(2 * exact);
});

it('counts a text that ends within a string, and ends above the given number', () => {
  expect(countValues('["a,b', 100)).toBe(2);
  expect(countValues(`[${'1,'.repeat(1_000)}1]`, 10)).toBe(11);
});
