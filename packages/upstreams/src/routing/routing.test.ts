import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';
import { drawForSession, orderRoutes } from './order-routes.ts';
import { RouteBreakers } from './route-breakers.ts';
import {
  DEFAULT_RETRY,
  isAboutRequest,
  judgeStatus,
  parseRetryAfterMs,
  retryDelayMs,
} from './retry-policy.ts';

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
    const random = createRandom(7);
    const firsts = Array.from({ length: 20_000 }, () => orderRoutes(routes, random)[0]?.id);
    expect(share(firsts, 'a')).toBeCloseTo(0.75, 1);
  });

  it('gives sessions to routes by weight, each session always in the same order', () => {
    const routes = [route('a', 0, 3), route('b', 0, 1)];
    const firsts = SESSIONS.map((session) => orderRoutes(routes, drawForSession(session))[0]?.id);
    expect(share(firsts, 'a')).toBeCloseTo(0.75, 1);
    const reversed = routes.toReversed();
    expect(SESSIONS.map((session) => orderRoutes(reversed, drawForSession(session))[0]?.id)).toEqual(firsts);
  });

  it('moves only the share of an added route, and of a removed one only its sessions', () => {
    const few = [route('a', 0, 1), route('b', 0, 1), route('c', 0, 1)];
    const more = [...few, route('d', 0, 1)];
    const first = (routes: typeof few) =>
      SESSIONS.map((session) => orderRoutes(routes, drawForSession(session))[0]?.id);
    const [before, after] = [first(few), first(more)];
    const moved = after.filter((id, at) => id !== before[at]);
    expect(new Set(moved)).toEqual(new Set(['d']));
    expect(moved.length / SESSIONS.length).toBeCloseTo(0.25, 1);
    // The sessions of a lost route are spread over all others.
    const lost = more.filter(({ id }) => id !== 'a');
    const spread = first(lost).filter((_, at) => after[at] === 'a');
    for (const id of ['b', 'c', 'd']) expect(share(spread, id)).toBeCloseTo(1 / 3, 1);
  });
});

const SESSIONS = Array.from({ length: 5_000 }, (_, at) => at * 1_000_003);

function share(ids: readonly (string | undefined)[], id: string): number {
  return ids.filter((each) => each === id).length / ids.length;
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

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

  it('are forgotten beyond a number, the oldest failure first', () => {
    const breakers = new RouteBreakers(clockAt(0));
    const fail = (id: string) => breakers.fail(id, { accountId: 'a', error: 'cut', isUnreachable: true });
    for (const id of ['often', 'once']) fail(id);
    for (let count = 0; count < 19_999; count += 1) {
      fail('often');
      fail(`route-${count}`);
    }
    expect(['often', 'once'].map((id) => breakers.isFailing(id))).toEqual([true, false]);
    expect(breakers.reports()).toHaveLength(20_000);
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
    [425, 'retryable'],
    [429, 'retryable'],
    [499, 'retryable'],
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

  it('blames no route for a refusal of one request', () => {
    expect([400, 408, 409, 425, 429, 499, 500, 503].filter(isAboutRequest)).toEqual([409, 425, 429]);
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
