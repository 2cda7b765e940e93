import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProviderConcurrency, type ProviderPlace } from './provider-concurrency.ts';

afterEach(() => vi.useRealTimers());

/** Takes places at one provider. */
function open(max: number | null, providerId = 'prov_1') {
  const concurrency = new ProviderConcurrency();
  return {
    concurrency,
    take: (accountId = 'acc_a', limit = max) => concurrency.tryAcquire(providerId, limit, accountId),
  };
}

/** A call whose caller has disconnected: it ends when its place is reclaimed. */
function leave(place: ProviderPlace | null, ended: string[], name: string): void {
  place?.offer(() => {
    ended.push(name);
    place.release();
  });
}

describe('ProviderConcurrency', () => {
  it('refuses a call beyond the limit until another call ends', () => {
    const { concurrency, take } = open(2);
    const first = take();
    expect(take()).not.toBeNull();
    expect(take()).toBeNull();
    expect(concurrency.tryAcquire('prov_2', 1, 'acc_a')).not.toBeNull();
    first?.release();
    expect(take()).not.toBeNull();
    expect(take()).toBeNull();
  });

  it('releases a place only once', () => {
    const { concurrency, take } = open(2);
    const place = take();
    take();
    place?.release();
    place?.release();
    expect(concurrency.getCount('prov_1')).toBe(1);
  });

  it('counts nothing without a limit', () => {
    const { concurrency, take } = open(null);
    for (let at = 0; at < 1_000; at += 1) expect(take()).not.toBeNull();
    expect(concurrency.getCount('prov_1')).toBe(0);
  });

  it('applies a limit lowered while calls are in flight', () => {
    const { take } = open(3);
    const places = [take(), take()];
    expect(take('acc_a', 1)).toBeNull();
    for (const place of places) place?.release();
    expect(take('acc_a', 1)).not.toBeNull();
  });

  it('keeps a place free for others once two accounts have used the provider', () => {
    const { take } = open(4);
    take('acc_b')?.release();
    const taken = [1, 2, 3, 4].map(() => take('acc_a'));
    expect(taken.filter((place) => place !== null)).toHaveLength(3);
    expect(take('acc_b')).not.toBeNull();
  });

  it('keeps each account to half of the places for a minute after another was refused', () => {
    vi.useFakeTimers();
    const { take } = open(4);
    const taken = [1, 2, 3, 4].map(() => take('acc_a'));
    expect(take('acc_b')).toBeNull();
    taken[0]?.release();
    expect(take('acc_a')).toBeNull();
    expect(take('acc_b')).not.toBeNull();
    taken[1]?.release();
    taken[2]?.release();
    expect(take('acc_a')).not.toBeNull();
    expect(take('acc_a')).toBeNull();
    vi.advanceTimersByTime(60_001);
    expect(take('acc_a')).not.toBeNull();
  });

  it('reclaims the oldest place of a disconnected caller from the account with the most places', () => {
    const { take } = open(4);
    const ended: string[] = [];
    leave(take('acc_b'), ended, 'b1');
    for (const name of ['a1', 'a2', 'a3']) leave(take('acc_a'), ended, name);
    expect(take('acc_c')).not.toBeNull();
    expect(ended).toEqual(['a1']);
  });

  it('reclaims an account’s own places first if it has its share', () => {
    const { take } = open(4);
    const ended: string[] = [];
    leave(take('acc_b'), ended, 'b1');
    for (const name of ['a1', 'a2', 'a3']) leave(take('acc_a'), ended, name);
    expect(take('acc_a')).not.toBeNull();
    expect(ended).toEqual(['a1']);
  });

  it('reclaims no place of an ended call or of a waiting caller', () => {
    const { take } = open(2);
    const ended: string[] = [];
    const over = take('acc_a');
    leave(over, ended, 'over');
    over?.release();
    take('acc_a');
    take('acc_b');
    expect(take('acc_c')).toBeNull();
    expect(ended).toEqual([]);
  });
});

describe('a call of no account', () => {
  it('takes only a free place, and no share of an account', () => {
    const { concurrency, take } = open(2);
    const spare = () => concurrency.tryAcquireSpare('prov_1', 2);
    const first = spare();
    expect(first).not.toBeNull();
    const own = take();
    expect([own === null, take(), spare()]).toEqual([false, null, null]);
    first?.release();
    // The account is still the only one, so all places are its own.
    expect(take()).not.toBeNull();
    expect(concurrency.getCount('prov_1')).toBe(2);
    own?.release();
    expect(concurrency.getCount('prov_1')).toBe(1);
    expect(concurrency.tryAcquireSpare('prov_2', null)).not.toBeNull();
  });

  it('yields its place before calls of callers who have left', () => {
    const { concurrency, take } = open(2);
    const ended: string[] = [];
    leave(take('acc_a'), ended, 'left');
    leave(concurrency.tryAcquireSpare('prov_1', 2), ended, 'spare');
    expect(take('acc_b')).not.toBeNull();
    expect(ended).toEqual(['spare']);
    expect(take('acc_c')).not.toBeNull();
    expect(ended).toEqual(['spare', 'left']);
  });
});
