import { describe, expect, it, vi } from 'vitest';
import { BalanceCache } from './balance-cache.ts';

const REQUEST = { keyId: 'key_a', accountId: 'acct_a', keyCapNanoUsd: null, chargesBalance: false };

/** A cache on one of several replicas that has just read the given totals. */
function knowing({ replicas = 1, spent = 0n, held = 0n, available = 0n }) {
  const totals = new BalanceCache();
  totals.replicas = replicas;
  totals.noteKey({ keyId: 'key_a', spentNanoUsd: spent, heldNanoUsd: held });
  totals.noteBalance({ accountId: 'acct_a', availableNanoUsd: available, heldNanoUsd: held });
  return totals;
}

describe('a request is sent before its hold is granted', () => {
  it('while budget and balance have ten times its worst case available', () => {
    const totals = knowing({ spent: 100n, held: 30n, available: 500n });
    const budget = { ...REQUEST, keyCapNanoUsd: 1_000n };
    expect(totals.canSendEarly({ ...budget, wantNanoUsd: 87n })).toBe(true);
    expect(totals.canSendEarly({ ...budget, wantNanoUsd: 88n })).toBe(false);
    const both = { ...budget, chargesBalance: true };
    expect(totals.canSendEarly({ ...both, wantNanoUsd: 47n })).toBe(true);
    expect(totals.canSendEarly({ ...both, wantNanoUsd: 48n })).toBe(false);
  });

  it('after the undecided holds of a single replica are subtracted once', () => {
    const totals = knowing({ available: 1_000n });
    totals.balance('acct_a').pending += 900n;
    const request = { ...REQUEST, chargesBalance: true, wantNanoUsd: 10n };
    expect(totals.canSendEarly(request)).toBe(true);
    totals.balance('acct_a').pending += 60n;
    expect(totals.canSendEarly(request)).toBe(false);
  });

  it('always without a budget or prepaid balance', () => {
    expect(knowing({}).canSendEarly({ ...REQUEST, wantNanoUsd: 1_000_000n })).toBe(true);
  });

  it('with a few others on each replica, which together fit ten times', () => {
    const replicas = 3;
    const fleet = Array.from({ length: replicas }, () => knowing({ replicas, available: 3_000n }));
    const request = { ...REQUEST, chargesBalance: true, wantNanoUsd: 10n };
    let sent = 0n;
    for (const totals of fleet) {
      while (totals.canSendEarly(request)) {
        totals.balance('acct_a').pending += request.wantNanoUsd;
        sent += request.wantNanoUsd;
      }
    }
    expect(sent).toBe(300n);
  });

  it('one at a time if totals are older than a second', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const totals = knowing({ replicas: 2, available: 1_000_000n });
    const request = { ...REQUEST, chargesBalance: true, wantNanoUsd: 10n };
    totals.balance('acct_a').pending += 10n;
    expect(totals.canSendEarly(request)).toBe(true);
    vi.advanceTimersByTime(1_001);
    expect(totals.canSendEarly(request)).toBe(false);
    totals.balance('acct_a').pending -= 10n;
    expect(totals.canSendEarly(request)).toBe(true);
    vi.useRealTimers();
  });
});

describe('cached totals', () => {
  it('are those of the last commit plus undecided holds', () => {
    const totals = new BalanceCache();
    const [key, balance] = [totals.key('key_a'), totals.balance('acct_a')];
    key.pending += 7n;
    totals.noteCommit({
      keys: [{ keyId: 'key_a', spentNanoUsd: 4n, heldNanoUsd: 9n }],
      balances: [{ accountId: 'acct_a', availableNanoUsd: 50n, heldNanoUsd: 9n }],
    });
    expect(key).toMatchObject({ spent: 4n, held: 9n, pending: 7n });
    expect(balance).toMatchObject({ available: 50n, held: 9n, pending: 0n });
  });

  it('are evicted oldest first, except keys with undecided holds', () => {
    const totals = new BalanceCache();
    const [asked, idle] = [totals.key('key_asked'), totals.key('key_idle')];
    asked.pending += 1n;
    for (let i = 0; i < 200_000; i++) totals.key(`key_${i}`);
    expect(totals.key('key_asked')).toBe(asked);
    expect(totals.key('key_idle')).not.toBe(idle);
  });
});
