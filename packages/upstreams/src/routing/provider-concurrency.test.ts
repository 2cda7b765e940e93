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

/** A call whose caller has left: it ends when its place is taken back. */
function leave(place: ProviderPlace | null, ended: string[], name: string): void {
  place?.offer(() => {
    ended.push(name);
    place.release();
  });
}

describe('ProviderConcurrency', () => {
  it('refuses a call beyond the limit until one is over', () => {
    const { concurrency, take } = open(2);
    const first = take();
    expect(take()).not.toBeNull();
    expect(take()).toBeNull();
    expect(concurrency.tryAcquire('prov_2', 1, 'acc_a')).not.toBeNull();
    first?.release();
    expect(take()).not.toBeNull();
    expect(take()).toBeNull();
  });

  it('gives a place back once, however often it is told', () => {
    const { concurrency, take } = open(2);
    const place = take();
    take();
    place?.release();
    place?.release();
    expect(concurrency.countOf('prov_1')).toBe(1);
  });

  it('counts nothing where there is no limit', () => {
    const { concurrency, take } = open(null);
    for (let at = 0; at < 1_000; at += 1) expect(take()).not.toBeNull();
    expect(concurrency.countOf('prov_1')).toBe(0);
  });

  it('follows a limit that was lowered while calls are under way', () => {
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

  it('takes back the oldest place of a caller who left, of the account with the most', () => {
    const { take } = open(4);
    const ended: string[] = [];
    leave(take('acc_b'), ended, 'b1');
    for (const name of ['a1', 'a2', 'a3']) leave(take('acc_a'), ended, name);
    expect(take('acc_c')).not.toBeNull();
    expect(ended).toEqual(['a1']);
  });

  it('takes an account’s own places back first where it has its share', () => {
    const { take } = open(4);
    const ended: string[] = [];
    leave(take('acc_b'), ended, 'b1');
    for (const name of ['a1', 'a2', 'a3']) leave(take('acc_a'), ended, name);
    expect(take('acc_a')).not.toBeNull();
    expect(ended).toEqual(['a1']);
  });

  it('takes back no place of a call that is over or whose caller waits', () => {
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
