import { expect, it } from 'vitest';
import { SearchBudget } from './search-budget.ts';

it('allows no more text than its maximum in a second', () => {
  let nowMs = 5_000;
  const budget = new SearchBudget(20, () => nowMs);
  expect([8, 8, 8, 4, 1].map((bytes) => budget.take(bytes))).toEqual([true, true, false, true, false]);
  nowMs = 5_999;
  expect(budget.take(1)).toBe(false);
  nowMs = 6_000;
  expect(budget.take(20)).toBe(true);
});
