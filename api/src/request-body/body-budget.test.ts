import { describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.ts';

const MIB = 1024 * 1024;

describe('the budget for request bodies', () => {
  it('limits one account to a quarter, and leaves the rest to others', () => {
    const budget = new BodyBudget(400 * MIB);
    const greedy = budget.open('greedy');
    expect(greedy.grow(100 * MIB)).toBeNull();
    expect(greedy.grow(1)).toBe('account');
    expect(budget.open('greedy').grow(1)).toBe('account');
    expect(budget.open('other').grow(100 * MIB)).toBeNull();
  });

  it('keeps the last quarter for accounts that hold little', () => {
    const budget = new BodyBudget(400 * MIB);
    for (const account of ['a', 'b', 'c']) expect(budget.open(account).grow(100 * MIB)).toBeNull();
    expect(budget.open('d').grow(32 * MIB)).toBe('process');
    expect(budget.open('e').grow(2 * MIB)).toBeNull();
  });

  it('always has room for one body of the largest size, however small the budget', () => {
    expect(new BodyBudget(64 * MIB).open('a').grow(32 * MIB)).toBeNull();
  });

  it('releases a reservation once', () => {
    const budget = new BodyBudget(64 * MIB);
    const reservation = budget.open('a');
    reservation.grow(10 * MIB);
    reservation.shrink(4 * MIB);
    expect(budget.usedBytes).toBe(6 * MIB);
    reservation.release();
    reservation.release();
    expect(budget.usedBytes).toBe(0);
    expect(reservation.grow(1)).not.toBeNull();
    expect(budget.usedBytes).toBe(0);
  });

  it('removes the entries of accounts that hold nothing', () => {
    const budget = new BodyBudget(64 * MIB);
    const held = budget.open('held');
    held.grow(1);
    for (let serial = 0; serial < 25_000; serial++) budget.open(`idle-${serial}`).release();
    expect(budget.knownAccounts).toBeLessThanOrEqual(10_000);
    // Its bytes still count against its share.
    expect(budget.open('held').grow(budget.accountBytes)).toBe('account');
    held.release();
    expect(budget.usedBytes).toBe(0);
  });

  it('has no room after a body that did not fit until the account holds less, whatever others hold', () => {
    const budget = new BodyBudget(64 * MIB, { minAccountBytes: 32 * MIB });
    const held = budget.open('a');
    held.grow(20 * MIB);
    expect(budget.hasRoom('a', 1)).toBe(true);
    const refused = budget.open('a');
    expect(refused.grow(20 * MIB)).toBe('account');
    refused.release();
    expect(budget.hasRoom('a', 1)).toBe(false);
    const other = budget.open('b');
    other.grow(15 * MIB);
    held.release();
    expect(budget.hasRoom('a', 1)).toBe(true);
    other.release();
  });

  it('has room after a body that can never fit', () => {
    const budget = new BodyBudget(64 * MIB);
    const refused = budget.open('a');
    expect(refused.grow(65 * MIB)).toBe('account');
    refused.release();
    expect(budget.hasRoom('a', 1)).toBe(true);
  });
});
