import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';
import { orderRoutes } from './order-routes.ts';
import { RouteBreakers } from './route-breakers.ts';
import { DEFAULT_RETRY, judgeStatus, parseRetryAfterMs, retryDelayMs } from './retry-policy.ts';

function clockAt(startMs: number) {
  let nowMs = startMs;
  return { nowMs: () => nowMs, turnMs: (ms: number) => (nowMs += ms) };
}

describe('orderRoutes', () => {
  const route = (id: string, priority: number, weight: number) => ({ id, priority, weight });

  it('returns every route once, tier by tier', () => {
    const routes = [route('c', 1, 1), route('a', 0, 5), route('b', 0, 1), route('d', 2, 1)];
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (numbers) => {
        const order = orderRoutes(routes, () => Number(numbers.next().value));
        expect(order.map(({ priority }) => priority)).toEqual([0, 0, 1, 2]);
        expect(new Set(order).size).toBe(4);
      }),
    );
  });

  it('draws the first of a tier by weight', () => {
    const routes = [route('a', 0, 3), route('b', 0, 1)];
    let seed = 0;
    const random = () => (seed++ % 1000) / 1000;
    const firsts = Array.from({ length: 1000 }, () => orderRoutes(routes, random)[0]?.id);
    expect(firsts.filter((id) => id === 'a')).toHaveLength(750);
  });
});

describe('CircuitBreaker', () => {
  const policy = { failures: 3, openMs: 1_000 };

  it('opens only after consecutive failures', () => {
    const breaker = new CircuitBreaker(clockAt(0), policy);
    for (const report of ['fail', 'fail', 'succeed', 'fail', 'fail'] as const) breaker[report]('timeout');
    expect(breaker.tryPass()).toBe(true);
    breaker.fail('timeout');
    expect(breaker.state).toBe('open');
    expect(breaker.tryPass()).toBe(false);
  });

  it('allows one probe after a while, closes if it succeeds and reopens if it fails', () => {
    const clock = clockAt(0);
    const breaker = new CircuitBreaker(clock, { ...policy, failures: 1 });
    breaker.fail('timeout');
    clock.turnMs(1_000);
    expect([breaker.tryPass(), breaker.tryPass()]).toEqual([true, false]);
    breaker.fail('timeout');
    expect(breaker.state).toBe('open');
    clock.turnMs(1_000);
    expect(breaker.tryPass()).toBe(true);
    breaker.succeed();
    expect(breaker.state).toBe('closed');
  });

  it('allows another probe if the first one had no result', () => {
    const clock = clockAt(0);
    const breaker = new CircuitBreaker(clock, { ...policy, failures: 1 });
    breaker.fail('timeout');
    clock.turnMs(1_000);
    expect(breaker.tryPass()).toBe(true);
    breaker.release();
    expect(breaker.tryPass()).toBe(true);
    clock.turnMs(1_000);
    expect(breaker.tryPass()).toBe(true);
  });
});

describe('RouteBreakers', () => {
  const failure = (error: string) => ({ accountId: 'acct_a', error, isUnreachable: false });

  it('report failing routes with start, retry time, count and reason', () => {
    const clock = clockAt(1_000);
    const breakers = new RouteBreakers(clock, { failures: 2, openMs: 500 });
    breakers.fail('a', failure('timeout'));
    breakers.fail('b', failure('cut'));
    breakers.succeed('b', 'acct_a');
    const closed = { breakerId: 'a', state: 'closed', sinceMs: 1_000, retryInMs: 0, failures: 1 };
    expect(breakers.reports()).toEqual([
      { ...closed, lastError: 'timeout', lastFailureAtMs: 1_000, blockedAccounts: 0 },
    ]);
    clock.turnMs(100);
    breakers.fail('a', failure('status_503'));
    clock.turnMs(200);
    const open = { state: 'open', sinceMs: 1_100, retryInMs: 300, failures: 2, lastError: 'status_503' };
    expect(breakers.reports()).toMatchObject([open]);
    clock.turnMs(300);
    expect(breakers.reports()).toMatchObject([{ ...open, state: 'half-open', retryInMs: 0 }]);
    // Its probe fails: the time of the first opening is kept.
    breakers.tryPass('a', 'acct_a');
    breakers.fail('a', failure('connect'));
    expect(breakers.reports()).toMatchObject([
      { ...open, retryInMs: 500, failures: 3, lastError: 'connect' },
    ]);
    breakers.succeed('a', 'acct_a');
    expect(breakers.reports()).toEqual([]);
  });

  it('are removed with their routes', () => {
    const breakers = new RouteBreakers(clockAt(1_000), { failures: 1, openMs: 500 });
    breakers.fail('a', failure('timeout'));
    breakers.fail('b', failure('timeout'));
    breakers.keepOnly((breakerId) => breakerId === 'b');
    expect(breakers.reports().map(({ breakerId }) => breakerId)).toEqual(['b']);
    expect(breakers.tryPass('a', 'acct_a')).toBe(true);
  });
});

describe('retry policy', () => {
  it.each([
    [200, 'answered'],
    [400, 'answered'],
    [404, 'answered'],
    [401, 'misconfigured'],
    [402, 'misconfigured'],
    [403, 'misconfigured'],
    [408, 'retryable'],
    [429, 'retryable'],
    [500, 'retryable'],
    [529, 'retryable'],
  ])('judges %i as %s', (status, verdict) => expect(judgeStatus(status)).toBe(verdict));

  it('waits a random time below a growing bound, and at least the retry-after', () => {
    const delay = (retry: number, random: number, retryAfterMs: number | null = null) =>
      retryDelayMs(DEFAULT_RETRY, { retry, random, retryAfterMs });
    expect([delay(1, 0), delay(1, 0.99), delay(2, 0.99), delay(20, 0.99)]).toEqual([0, 99, 198, 1_980]);
    expect(delay(1, 0, 700)).toBe(700);
    expect(delay(1, 0, 60_000)).toBeNull();
  });

  it('parses every form of retry-after', () => {
    const read = (headers: Record<string, string>) => parseRetryAfterMs((name) => headers[name] ?? null, 0);
    expect(read({})).toBeNull();
    expect(read({ 'retry-after': '7' })).toBe(7_000);
    expect(read({ 'retry-after': '7', 'retry-after-ms': '250' })).toBe(250);
    expect(read({ 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' })).toBe(9_000);
    expect(read({ 'retry-after': 'soon' })).toBeNull();
  });
});
