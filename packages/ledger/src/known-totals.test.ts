import { describe, expect, it, vi } from 'vitest';
import { KnownTotals } from './known-totals.ts';

const REQUEST = { keyId: 'key_a', accountId: 'acct_a', keyCapNanoUsd: null, chargesBalance: false };

/** Totals of a process among so many, which has just read what is given. */
function knowing({ replicas = 1, spent = 0n, held = 0n, available = 0n }) {
  const totals = new KnownTotals();
  totals.replicas = replicas;
  totals.noteKey({ keyId: 'key_a', spentNanoUsd: spent, heldNanoUsd: held });
  totals.noteBalance({ accountId: 'acct_a', availableNanoUsd: available, heldNanoUsd: held });
  return totals;
}

describe('a request is sent before its hold is granted', () => {
  it('while ten times its worst case is left of the budget and of the balance', () => {
    const totals = knowing({ spent: 100n, held: 30n, available: 500n });
    const budget = { ...REQUEST, keyCapNanoUsd: 1_000n };
    expect(totals.canSendEarly({ ...budget, wantNanoUsd: 87n })).toBe(true);
    expect(totals.canSendEarly({ ...budget, wantNanoUsd: 88n })).toBe(false);
    const both = { ...budget, chargesBalance: true };
    expect(totals.canSendEarly({ ...both, wantNanoUsd: 47n })).toBe(true);
    expect(totals.canSendEarly({ ...both, wantNanoUsd: 48n })).toBe(false);
  });

  it('always if nothing limits it', () => {
    expect(knowing({}).canSendEarly({ ...REQUEST, wantNanoUsd: 1_000_000n })).toBe(true);
  });

  it('as one of a few on each replica: all that are sent early fit together, and nine times more', () => {
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

  it('one at a time if other replicas may have used up what was read a second ago', () => {
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

describe('known totals', () => {
  it('are those of the last commit, beside what is asked for here', () => {
    const totals = new KnownTotals();
    const [key, balance] = [totals.key('key_a'), totals.balance('acct_a')];
    key.pending += 7n;
    totals.noteCommit({
      keys: [{ keyId: 'key_a', spentNanoUsd: 4n, heldNanoUsd: 9n }],
      balances: [{ accountId: 'acct_a', availableNanoUsd: 50n, heldNanoUsd: 9n }],
    });
    expect(key).toMatchObject({ spent: 4n, held: 9n, pending: 7n });
    expect(balance).toMatchObject({ available: 50n, held: 9n, pending: 0n });
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
