import { expect, it } from 'vitest';
import { BudgetPerSecond } from './budget-per-second.ts';

it('allows no more than its maximum in a second', () => {
  let nowMs = 5_000;
  const budget = new BudgetPerSecond(20, () => nowMs);
  expect([8, 8, 8, 4, 1].map((amount) => budget.take(amount))).toEqual([true, true, false, true, false]);
  nowMs = 5_999;
  expect(budget.take(1)).toBe(false);
  nowMs = 6_000;
  expect(budget.take(20)).toBe(true);
});
