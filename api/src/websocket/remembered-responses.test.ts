import { expect, it } from 'vitest';
import { BodyBudget } from '../request-body/body-budget.ts';
import { RememberedResponses } from './remembered-responses.ts';

const MIB = 1024 * 1024;

it('forgets the oldest responses of an account whose share is used up, and counts as memory of bodies', () => {
  const budget = new BodyBudget(256 * MIB);
  const remembered = new RememberedResponses(budget);
  const most = budget.accountBytes / 4;
  const forgotten: string[] = [];
  const hold = (account: string, bytes: number, name: string) =>
    remembered.hold(account, bytes, () => void forgotten.push(name));
  expect(hold('a', most + 1, 'too large')).toBeNull();
  hold('a', most / 2, 'first');
  const release = hold('a', most / 2, 'second');
  hold('b', most, 'other');
  expect([budget.usedBytes, remembered.bytes]).toEqual([2 * most, 2 * most]);
  hold('a', 1, 'third');
  expect(forgotten).toEqual(['first']);
  release?.();
  release?.();
  expect(budget.usedBytes).toBe(most + 1);
  for (const account of ['c', 'd', 'e']) hold(account, most, account);
  expect(forgotten).toEqual(['first', 'other']);
  expect(remembered.bytes).toBeLessThanOrEqual(budget.totalBytes / 4);
});

it('remembers nothing while bodies need the memory', () => {
  const budget = new BodyBudget(64 * MIB);
  const remembered = new RememberedResponses(budget);
  const bodies = budget.open('a');
  expect(bodies.grow(budget.accountBytes)).toBeNull();
  expect(remembered.hold('a', MIB, () => undefined)).toBeNull();
  bodies.release();
  expect(budget.usedBytes).toBe(0);
});
