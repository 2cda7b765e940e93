import { describe, expect, it } from 'vitest';
import { KnownTotals, roomOf } from './known-totals.ts';

const KEY = { spent: 100n, held: 30n, pending: 5n };
const BALANCE = { available: 500n, held: 200n, pending: 1n };

describe('the room for a request', () => {
  it('is what neither is spent, nor held, nor asked for', () => {
    expect(roomOf(KEY, 1_000n, null)).toEqual({ settled: 900n, free: 865n });
    expect(roomOf(KEY, null, BALANCE)).toEqual({ settled: 500n, free: 299n });
  });

  it('is the smaller one where a budget and a balance limit it, each for itself', () => {
    expect(roomOf(KEY, 700n, BALANCE)).toEqual({ settled: 500n, free: 299n });
    expect(roomOf({ spent: 0n, held: 450n, pending: 0n }, 600n, BALANCE)).toEqual({
      settled: 500n,
      free: 150n,
    });
  });

  it('is less by what each other replica may have asked for meanwhile', () => {
    expect(roomOf(KEY, 1_000n, null, 3)).toEqual({ settled: 900n, free: 855n });
    expect(roomOf(KEY, null, BALANCE, 3)).toEqual({ settled: 500n, free: 297n });
  });

  it('has no limit where nothing limits it', () => {
    expect(roomOf(KEY, null, null)).toEqual({ settled: null, free: null });
  });
});

describe('known totals', () => {
  it('are those of the last commit, beside what is asked for here', () => {
    const totals = new KnownTotals();
    const [key, balance] = [totals.key('key_a'), totals.balance('acct_a')];
    key.pending += 7n;
    totals.noteCommit({
      keys: [{ keyId: 'key_a', spentNanoUsd: 4n, heldNanoUsd: 9n }],
      balances: [{ accountId: 'acct_a', availableNanoUsd: 50n, heldNanoUsd: 9n }],
    });
    expect(key).toEqual({ spent: 4n, held: 9n, pending: 7n });
    expect(balance).toEqual({ available: 50n, held: 9n, pending: 0n });
  });

  it('are forgotten, the oldest first, but for keys for which something is asked', () => {
    const totals = new KnownTotals();
    const [asked, idle] = [totals.key('key_asked'), totals.key('key_idle')];
    asked.pending += 1n;
    for (let i = 0; i < 200_000; i++) totals.key(`key_${i}`);
    expect(totals.key('key_asked')).toBe(asked);
    expect(totals.key('key_idle')).not.toBe(idle);
  });
});
