import { describe, expect, it } from 'vitest';
import { createRandom, createStage, ROUTES } from './strategies.fixture.ts';

interface Simulated {
  firstTokenMs: Record<string, number>;
  /** Requests that start each second. */
  perSecond: number;
  /** The times vary as those of real providers: a few are several times longer. */
  isVaried?: boolean;
}

/** Runs requests with a virtual clock: each one learns the time of its route when that has passed. */
function simulate(seconds: number, at: (second: number) => Simulated) {
  const random = createRandom(11);
  const { strategies, order, nowMs, turnMs } = createStage(random);
  const pending: { endMs: number; id: string; ms: number }[] = [];
  const results: { second: number; id: string; ms: number; choice: string | null }[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const { firstTokenMs, perSecond, isVaried = false } = at(second);
    for (let request = 0; request < perSecond; request += 1) {
      turnMs(1_000 / perSecond);
      for (const ended of pending.filter(({ endMs }) => endMs <= nowMs())) {
        pending.splice(pending.indexOf(ended), 1);
        const peers = ROUTES.flatMap(({ id }) => (id === ended.id ? [] : [id]));
        strategies.latencies.noteFirstToken(ended.id, ended.ms, peers);
        strategies.latencies.noteStream(ended.id, 100, 11);
      }
      const { first, choice } = order('lowest-latency');
      const varied = isVaried ? Math.exp((random() + random() + random() - 1.5) * 1.2) : 1;
      const ms = (firstTokenMs[first] ?? 0) * varied;
      pending.push({ endMs: nowMs() + ms, id: first, ms });
      results.push({ second, id: first, ms, choice });
    }
  }
  return results;
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

describe('the strategy lowest-latency, with a virtual clock', () => {
  it.each([20, 200])(
    'has the p95 of the faster of two routes, whose speeds swap twice, with %i requests per second',
    (perSecond) => {
      const results = simulate(90, (second) => {
        const isSwapped = Math.floor(second / 30) % 2 === 1;
        return { perSecond, firstTokenMs: isSwapped ? { a: 500, b: 60 } : { a: 60, b: 500 } };
      });
      expect(
        percentile(
          results.map(({ ms }) => ms),
          0.95,
        ),
      ).toBeLessThanOrEqual(66);
      for (const [from, to, id] of [
        [5, 30, 'a'],
        [35, 60, 'b'],
        [65, 90, 'a'],
      ] as const) {
        const span = results.filter(({ second }) => second >= from && second < to);
        expect(span.filter((result) => result.id === id).length / span.length).toBeGreaterThan(0.97);
      }
    },
  );

  it('sends few requests to a slower route, also if the times vary much', () => {
    const results = simulate(120, () => ({
      perSecond: 50,
      firstTokenMs: { a: 300, b: 1_500 },
      isVaried: true,
    })).filter(({ second }) => second >= 10);
    const slow = results.filter(({ id }) => id === 'b').length / results.length;
    expect(slow).toBeGreaterThan(0.002);
    expect(slow).toBeLessThan(0.04);
  });

  it('finds out that another route has become faster', () => {
    const results = simulate(60, (second) => ({
      perSecond: 30,
      firstTokenMs: { a: 200, b: second < 10 ? 900 : 50 },
    })).filter(({ second }) => second >= 40);
    expect(results.filter(({ id }) => id === 'b').length / results.length).toBeGreaterThan(0.95);
  });

  it('divides requests between routes that are about as fast', () => {
    const results = simulate(20, () => ({ perSecond: 50, firstTokenMs: { a: 300, b: 310 } }));
    const share = results.filter(({ id }) => id === 'a').length / results.length;
    expect(share).toBeGreaterThan(0.35);
    expect(share).toBeLessThan(0.65);
  });
});
