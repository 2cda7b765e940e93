import { describe, expect, it } from 'vitest';
import { ReadRate } from './read-rate.ts';

const MIB = 1024 * 1024;

describe('the rate of reading large bodies', () => {
  it('lets an account read 32 MiB at once and 128 MiB a second after that', () => {
    let nowMs = 0;
    const rate = new ReadRate(() => nowMs);
    rate.spend('a', 32 * MIB - 1);
    expect(rate.waitMs('a')).toBe(0);
    rate.spend('a', 16 * MIB);
    expect(rate.waitMs('a')).toBe(125);
    expect(rate.waitMs('b')).toBe(0);
    nowMs = 125;
    expect(rate.waitMs('a')).toBe(0);
  });

  it('never lets an account save up more than 32 MiB', () => {
    let nowMs = 0;
    const rate = new ReadRate(() => nowMs);
    rate.spend('a', 1);
    nowMs = 3_600_000;
    rate.spend('a', 48 * MIB);
    expect(rate.waitMs('a')).toBe(126);
  });

  it('keeps the debts of accounts while it removes idle accounts', () => {
    const rate = new ReadRate(() => 0);
    rate.spend('debtor', 96 * MIB);
    for (let serial = 0; serial < 10_500; serial++) expect(rate.waitMs(`idle-${serial}`)).toBe(0);
    expect(rate.waitMs('debtor')).toBe(501);
  });
});
