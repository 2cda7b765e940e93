import { describe, expect, it } from 'vitest';
import { RouteHealth } from './route-health.ts';

const POLICY = { failures: 5, openMs: 10_000 };

function setUp() {
  let nowMs = 1_000;
  const health = new RouteHealth({ nowMs: () => nowMs }, POLICY);
  const fail = (accountId: string, times = 1) => {
    for (let count = 0; count < times; count++)
      health.fail({ accountId, error: 'status_500', isUnreachable: false });
  };
  const loseConnection = (times: number) => {
    for (let count = 0; count < times; count++)
      health.fail({ accountId: 'acct_a', error: 'connect', isUnreachable: true });
  };
  return { health, fail, loseConnection, advanceMs: (ms: number) => (nowMs += ms) };
}

describe('circuit breakers of a route', () => {
  it('close it only for the account whose requests fail', () => {
    const { health, fail } = setUp();
    fail('acct_poison', 50);
    expect(health.tryPass('acct_poison')).toBe(false);
    expect(health.tryPass('acct_innocent')).toBe(true);
    expect(health.report()).toMatchObject({ state: 'open', blockedAccounts: 1, failures: 50 });
  });

  it('never refuse an account without a failure, however many others fail and whenever they probe', () => {
    const { health, fail, advanceMs } = setUp();
    for (let round = 0; round < 20; round++) {
      for (let attacker = 0; attacker < 10; attacker++) {
        const accountId = `acct_${attacker}`;
        if (health.tryPass(accountId)) fail(accountId);
      }
      expect(health.tryPass('acct_innocent')).toBe(true);
      health.release('acct_innocent');
      advanceMs(POLICY.openMs / 2);
    }
  });

  it('close it for an account with its first failure once several accounts have failed in a row', () => {
    const { health, fail } = setUp();
    fail('acct_a', 3);
    fail('acct_b', 2);
    expect(health.tryPass('acct_c')).toBe(true);
    fail('acct_c');
    expect(health.tryPass('acct_c')).toBe(false);
  });

  it('reset the failure threshold of an account once a request has succeeded', () => {
    const { health, fail } = setUp();
    fail('acct_a', 3);
    fail('acct_b', 2);
    health.succeed('acct_c');
    fail('acct_c', 4);
    expect(health.tryPass('acct_c')).toBe(true);
  });

  it('close it for every account while the provider is unreachable, then allow one probe', () => {
    const { health, loseConnection, advanceMs } = setUp();
    loseConnection(POLICY.failures);
    expect(health.tryPass('acct_innocent')).toBe(false);
    expect(health.report()).toMatchObject({ state: 'open', blockedAccounts: null });
    advanceMs(POLICY.openMs);
    expect([health.tryPass('acct_b'), health.tryPass('acct_c')]).toEqual([true, false]);
    health.succeed('acct_b');
    expect(health.tryPass('acct_c')).toBe(true);
    expect(health.isClear).toBe(true);
  });

  it('allow other accounts once a probe got a response, even an error', () => {
    const { health, fail, loseConnection, advanceMs } = setUp();
    loseConnection(POLICY.failures);
    advanceMs(POLICY.openMs);
    expect(health.tryPass('acct_a')).toBe(true);
    fail('acct_a', POLICY.failures);
    expect(health.tryPass('acct_a')).toBe(false);
    expect(health.tryPass('acct_b')).toBe(true);
  });

  it('return the probe of an account if the route is closed for every account', () => {
    const { health, fail, loseConnection, advanceMs } = setUp();
    fail('acct_b', POLICY.failures);
    advanceMs(POLICY.openMs);
    loseConnection(POLICY.failures);
    expect(health.tryPass('acct_b')).toBe(false);
    advanceMs(POLICY.openMs - 1);
    health.succeed('acct_c');
    expect(health.tryPass('acct_b')).toBe(true);
  });

  it('return the probe of an account if its request did not reach the provider', () => {
    const { health, fail, loseConnection, advanceMs } = setUp();
    fail('acct_a', POLICY.failures);
    advanceMs(POLICY.openMs);
    expect([health.tryPass('acct_a'), health.tryPass('acct_a')]).toEqual([true, false]);
    loseConnection(1);
    expect(health.tryPass('acct_a')).toBe(true);
  });

  it('return both probes if a request says nothing about the route', () => {
    const { health, fail, loseConnection, advanceMs } = setUp();
    fail('acct_b', POLICY.failures);
    loseConnection(POLICY.failures);
    advanceMs(POLICY.openMs);
    expect([health.tryPass('acct_b'), health.tryPass('acct_c')]).toEqual([true, false]);
    health.release('acct_b');
    expect(health.tryPass('acct_b')).toBe(true);
    health.release('acct_b');
    expect(health.tryPass('acct_c')).toBe(true);
  });

  it('forget the oldest of very many accounts', () => {
    const { health, fail } = setUp();
    for (let index = 0; index < 1_001; index++) fail(`acct_${index}`, POLICY.failures);
    expect(health.tryPass('acct_0')).toBe(true);
    expect(health.tryPass('acct_1000')).toBe(false);
  });
});

describe('a health check', () => {
  it('lets accounts use the route again, and their next failure closes it again', () => {
    const { health, fail, loseConnection } = setUp();
    fail('acct_a', POLICY.failures);
    loseConnection(POLICY.failures);
    expect(health.isResting).toBe(true);
    health.recover();
    expect(health.isResting).toBe(false);
    expect([health.tryPass('acct_a'), health.tryPass('acct_a')]).toEqual([true, true]);
    fail('acct_a');
    expect([health.tryPass('acct_a'), health.tryPass('acct_b')]).toEqual([false, true]);
    health.recover();
    health.succeed('acct_a');
    fail('acct_a', POLICY.failures - 1);
    expect(health.tryPass('acct_a')).toBe(true);
  });

  it('that fails keeps an open route closed to requests, and opens nothing', () => {
    const { health, fail, advanceMs } = setUp();
    fail('acct_b');
    fail('acct_a', POLICY.failures);
    advanceMs(POLICY.openMs - 1);
    health.keepOpen();
    advanceMs(POLICY.openMs - 1);
    expect([health.tryPass('acct_a'), health.tryPass('acct_b')]).toEqual([false, true]);
    advanceMs(1);
    expect(health.tryPass('acct_a')).toBe(true);
  });

  it('that always fails for its own reasons does not take a route out of use for good', () => {
    const { health, fail, loseConnection, advanceMs } = setUp();
    const countSkipped = () => {
      let skipped = 0;
      while (!health.tryPass('acct_a') && skipped < 100) {
        skipped += 1;
        advanceMs(POLICY.openMs / 2);
        health.keepOpen();
      }
      return skipped;
    };
    fail('acct_a', POLICY.failures);
    expect(countSkipped()).toBe(13);
    // The failed probe opens it again, and so does a provider that cannot be reached.
    fail('acct_a');
    expect(countSkipped()).toBe(13);
    health.succeed('acct_a');
    loseConnection(POLICY.failures);
    expect(countSkipped()).toBe(13);
    health.succeed('acct_a');
    expect(health.isClear).toBe(true);
  });
});
