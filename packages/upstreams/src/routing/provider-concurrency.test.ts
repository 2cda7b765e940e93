import { describe, expect, it } from 'vitest';
import { ProviderConcurrency } from './provider-concurrency.ts';

describe('ProviderConcurrency', () => {
  it('refuses a call beyond the limit until one is over', () => {
    const concurrency = new ProviderConcurrency();
    const first = concurrency.tryAcquire('prov_1', 2);
    expect(concurrency.tryAcquire('prov_1', 2)).not.toBeNull();
    expect(concurrency.tryAcquire('prov_1', 2)).toBeNull();
    expect(concurrency.tryAcquire('prov_2', 1)).not.toBeNull();
    first?.();
    expect(concurrency.tryAcquire('prov_1', 2)).not.toBeNull();
    expect(concurrency.tryAcquire('prov_1', 2)).toBeNull();
  });

  it('gives a place back once, however often it is told', () => {
    const concurrency = new ProviderConcurrency();
    const release = concurrency.tryAcquire('prov_1', 2);
    concurrency.tryAcquire('prov_1', 2);
    release?.();
    release?.();
    expect(concurrency.countOf('prov_1')).toBe(1);
  });

  it('counts nothing where there is no limit', () => {
    const concurrency = new ProviderConcurrency();
    for (let at = 0; at < 1_000; at += 1) expect(concurrency.tryAcquire('prov_1', null)).not.toBeNull();
    expect(concurrency.countOf('prov_1')).toBe(0);
  });

  it('follows a limit that was lowered while calls are under way', () => {
    const concurrency = new ProviderConcurrency();
    const releases = [concurrency.tryAcquire('prov_1', 3), concurrency.tryAcquire('prov_1', 3)];
    expect(concurrency.tryAcquire('prov_1', 1)).toBeNull();
    for (const release of releases) release?.();
    expect(concurrency.tryAcquire('prov_1', 1)).not.toBeNull();
  });
});
