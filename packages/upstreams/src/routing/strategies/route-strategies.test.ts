import { describe, expect, it } from 'vitest';
import { createStage, type Route } from './strategies.fixture.ts';

describe('the strategy lowest-latency', () => {
  it('has one probe in flight for a route that was never measured', () => {
    const { strategies, order } = createStage(() => 0.999);
    strategies.latencies.noteFirstToken('a', 100, ['b']);
    expect(order('lowest-latency')).toEqual({ first: 'b', choice: 'latency probe', ids: ['a', 'b'] });
    for (let again = 0; again < 20; again += 1)
      expect(order('lowest-latency')).toMatchObject({ first: 'a', choice: 'latency 100' });
    strategies.latencies.release('b');
    expect(order('lowest-latency').choice).toBe('latency probe');
    strategies.latencies.noteFirstToken('b', 50, ['a']);
    expect(order('lowest-latency')).toMatchObject({ first: 'b', choice: 'latency 50' });
  });

  it('measures the others again after a surprise', () => {
    const { strategies, order, turnMs } = createStage(() => 0.999);
    for (const [id, peer] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const)
      strategies.latencies.noteFirstToken(id, id === 'a' ? 100 : 400, [peer]);
    turnMs(2_000);
    expect(order('lowest-latency').first).toBe('a');
    strategies.latencies.noteFirstToken('a', 500, ['b']);
    expect(order('lowest-latency')).toMatchObject({ first: 'b', choice: 'latency probe' });
  });

  it('leaves a route that stalls before it has responded', () => {
    const { strategies, order } = createStage(() => 0.999);
    strategies.latencies.noteFirstToken('a', 100, ['b']);
    strategies.latencies.noteFirstToken('b', 300, ['a']);
    strategies.latencies.noteWaiting('a', 200, ['b']);
    expect(order('lowest-latency').first).toBe('a');
    for (const ms of [250, 500, 750]) strategies.latencies.noteWaiting('a', ms, ['b']);
    expect(order('lowest-latency').first).toBe('b');
  });

  it('measures a route again after a single slow response', () => {
    const { strategies, order, turnMs } = createStage(() => 0.999);
    const times = { a: 5, b: 300 };
    strategies.latencies.noteFirstToken('a', times.a, ['b']);
    strategies.latencies.noteFirstToken('b', times.b, ['a']);
    const answer = (id: string, ms: number) =>
      strategies.latencies.noteFirstToken(id, ms, [id === 'a' ? 'b' : 'a']);
    for (const ms of [1_000, 2_000, 3_000]) strategies.latencies.noteWaiting('a', ms, ['b']);
    answer('a', 3_500);
    const chosen = Array.from({ length: 20 }, () => {
      const { first } = order('lowest-latency');
      turnMs(500);
      answer(first, first === 'a' ? times.a : times.b);
      return first;
    });
    expect(chosen.slice(10)).toEqual(Array.from({ length: 10 }, () => 'a'));
    answer('a', 3_500);
    expect(order('lowest-latency')).toMatchObject({ first: 'a', choice: 'latency probe' });
  });

  it('leaves a slow route after a second slow response', () => {
    const { strategies, order, turnMs } = createStage(() => 0.999);
    strategies.latencies.noteFirstToken('a', 5, ['b']);
    strategies.latencies.noteFirstToken('b', 300, ['a']);
    const chosen = Array.from({ length: 20 }, () => {
      const { first } = order('lowest-latency');
      turnMs(500);
      strategies.latencies.noteFirstToken(first, first === 'a' ? 3_500 : 300, [first === 'a' ? 'b' : 'a']);
      return first;
    });
    expect(chosen.filter((id) => id === 'a').length).toBeLessThanOrEqual(3);
  });

  it('counts a failure as slow', () => {
    const { strategies, order } = createStage(() => 0.999);
    strategies.latencies.noteFirstToken('a', 100, ['b']);
    strategies.latencies.noteFirstToken('b', 300, ['a']);
    strategies.latencies.noteFailure('a', 5, null);
    expect(order('lowest-latency')).toMatchObject({ first: 'b', choice: 'latency 300' });
  });

  it('counts a failure that only one account has as slow for this account, for a while', () => {
    const { strategies, order, turnMs } = createStage(() => 0.999);
    strategies.latencies.noteFirstToken('a', 100, ['b']);
    strategies.latencies.noteFirstToken('b', 300, ['a']);
    for (let each = 0; each < 3; each++) strategies.latencies.noteFailure('a', 5, 'acct_1');
    expect(order('lowest-latency')).toMatchObject({ first: 'b', choice: 'latency 300' });
    expect(order('lowest-latency', { accountId: 'acct_2' })).toMatchObject({ first: 'a' });
    turnMs(120_000);
    expect(order('lowest-latency')).toMatchObject({ first: 'a' });
  });

  it('compares the time of the whole response, also of responses that are not streams', () => {
    const { strategies, order } = createStage(() => 0.999);
    // A quick start, but slow output.
    strategies.latencies.noteFirstToken('a', 50, ['b']);
    strategies.latencies.noteStream('a', 10_000, 101);
    for (let each = 0; each < 5; each += 1)
      strategies.latencies.noteWhole('b', { ms: 2_000, outputTokens: 100, peers: ['a'] });
    const { first, choice } = order('lowest-latency');
    expect(first).toBe('b');
    expect(Number(choice?.split(' ')[1])).toBeGreaterThan(1_500);
    expect(Number(choice?.split(' ')[1])).toBeLessThan(2_500);
  });

  it('keeps a session with a prompt cache on its route while that is at most 1.5 times slower', () => {
    const { strategies, order } = createStage(() => 0.999);
    strategies.warm.note(1, 'b', { inputTokens: 5_000, cacheReadTokens: 0, cacheWriteTokens: 0 });
    strategies.latencies.noteFirstToken('a', 100, []);
    strategies.latencies.noteFirstToken('b', 145, []);
    expect(order('lowest-latency', { sessionHash: 1 })).toMatchObject({
      first: 'b',
      choice: 'latency session 145',
    });
    expect(order('lowest-latency', { sessionHash: 2 }).first).toBe('a');
    strategies.latencies.noteFirstToken('b', 250, []);
    expect(order('lowest-latency', { sessionHash: 1 }).first).toBe('a');
  });

  it('does not say that a session stays on its route if that is the best one', () => {
    const { strategies, order } = createStage(() => 0.999);
    strategies.warm.note(1, 'a', { inputTokens: 5_000, cacheReadTokens: 0, cacheWriteTokens: 0 });
    for (const [id, ms] of Object.entries({ a: 100, b: 145 }))
      strategies.latencies.noteFirstToken(id, ms, []);
    expect(order('lowest-latency', { sessionHash: 1 })).toMatchObject({ first: 'a', choice: 'latency 100' });
  });

  it('measures the oldest numbers now and then, but with no session and not within a second', () => {
    const { strategies, order, turnMs } = createStage(() => 0);
    for (const [id, ms] of Object.entries({ a: 100, b: 400 }))
      strategies.latencies.noteFirstToken(id, ms, []);
    turnMs(999);
    expect(order('lowest-latency').choice).toBe('latency 100');
    turnMs(2);
    strategies.warm.note(1, 'a', { inputTokens: 5_000, cacheReadTokens: 0, cacheWriteTokens: 0 });
    expect(order('lowest-latency', { sessionHash: 1 }).choice).toBe('latency 100');
    expect(order('lowest-latency', { mayProbe: false }).choice).toBe('latency 100');
    expect(order('lowest-latency')).toMatchObject({ first: 'b', choice: 'latency probe' });
  });

  it('measures the others again if a route stalls, except those whose numbers are fresh', () => {
    const { strategies, order, turnMs } = createStage(() => 0.999);
    strategies.latencies.noteFirstToken('a', 100, ['b']);
    strategies.latencies.noteFirstToken('b', 1_000, ['a']);
    turnMs(1_000);
    strategies.latencies.noteWaiting('a', 300, ['b']);
    expect(order('lowest-latency').choice).toBe('latency 200');
    turnMs(1);
    strategies.latencies.noteWaiting('a', 500, ['b']);
    expect(order('lowest-latency')).toMatchObject({ first: 'b', choice: 'latency probe' });
  });

  it('trusts old numbers less', () => {
    const { strategies, order, turnMs } = createStage(() => 0.999);
    strategies.latencies.noteFirstToken('a', 100, []);
    strategies.latencies.noteFirstToken('b', 900, []);
    turnMs(120_000);
    strategies.latencies.noteFirstToken('a', 180, []);
    // After two minutes, the new number has nearly all of the share; at once it would have a fifth.
    expect(order('lowest-latency').choice).toBe('latency 179');
  });

  it('forgets removed routes', () => {
    const { strategies, order } = createStage(() => 0.999);
    for (const id of ['a', 'b']) strategies.latencies.noteFirstToken(id, 100, []);
    strategies.keepOnly((id) => id === 'a');
    expect(order('lowest-latency').choice).toBe('latency probe');
    // Its probe is forgotten, too.
    strategies.keepOnly((id) => id === 'a');
    expect(order('lowest-latency').choice).toBe('latency probe');
  });

  it('forgets the sessions of removed routes, and the oldest of too many', () => {
    const { strategies } = createStage();
    const use = { inputTokens: 5_000, cacheReadTokens: 0, cacheWriteTokens: 0 };
    for (let session = 0; session <= 20_000; session += 1)
      strategies.warm.note(session, session % 2 === 0 ? 'a' : 'b', use);
    expect([0, 1, 2].map((session) => strategies.warm.find(session)?.routeId)).toEqual([undefined, 'b', 'a']);
    strategies.keepOnly((id) => id === 'a');
    expect([1, 2].map((session) => strategies.warm.find(session)?.routeId)).toEqual([undefined, 'a']);
  });
});

describe('the strategy lowest-price', () => {
  const cost = ({ id }: Route, warmTokens: number) =>
    id === 'a' ? 1_000n - BigInt(warmTokens) / 10n : 900n - BigInt(warmTokens) / 10n;

  it('puts the cheapest route first, with the expected cost', () => {
    const { order } = createStage();
    expect(order('lowest-price', { cost })).toMatchObject({ first: 'b', choice: 'price 900' });
  });

  it('counts what the route of a session reads from its prompt cache', () => {
    const { strategies, order, turnMs } = createStage();
    strategies.warm.note(1, 'a', { inputTokens: 4_000, cacheReadTokens: 0, cacheWriteTokens: 0 });
    expect(order('lowest-price', { cost, sessionHash: 1 })).toMatchObject({
      first: 'a',
      choice: 'price 600',
    });
    // The cache did not have it.
    strategies.warm.note(1, 'a', { inputTokens: 5_000, cacheReadTokens: 0, cacheWriteTokens: 0 });
    expect(order('lowest-price', { cost, sessionHash: 1 }).first).toBe('b');
    strategies.warm.note(1, 'a', { inputTokens: 1_000, cacheReadTokens: 5_000, cacheWriteTokens: 0 });
    expect(order('lowest-price', { cost, sessionHash: 1 })).toMatchObject({
      first: 'a',
      choice: 'price 400',
    });
    turnMs(300_001);
    expect(order('lowest-price', { cost, sessionHash: 1 }).first).toBe('b');
  });

  it('expects nothing of a cache that missed twice', () => {
    const { strategies, order } = createStage();
    for (let miss = 0; miss < 3; miss += 1) {
      strategies.warm.note(1, 'a', { inputTokens: 5_000, cacheReadTokens: 0, cacheWriteTokens: 0 });
      expect(order('lowest-price', { cost, sessionHash: 1 }).first).toBe(miss === 0 ? 'a' : 'b');
    }
  });

  it('expects no cache for a short input', () => {
    const { strategies, order } = createStage();
    strategies.warm.note(1, 'a', { inputTokens: 1_023, cacheReadTokens: 0, cacheWriteTokens: 0 });
    expect(order('lowest-price', { cost, sessionHash: 1 })).toMatchObject({
      first: 'b',
      choice: 'price 900',
    });
  });
});
