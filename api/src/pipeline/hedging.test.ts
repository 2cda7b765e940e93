import { describe, expect, it } from 'vitest';
import { HEDGED } from './attempt-failure.ts';
import type { Attempt } from './attempt.ts';
import { hedge, Hedging } from './hedging.ts';
import type { RunCosts } from './run-costs.ts';

const HEDGE_AFTER_MS = 200;

/** An attempt, of which only its state counts. */
function createAttempt(name: string, log: string[], state: Partial<Attempt> = {}): Attempt {
  return {
    startedAtMs: 1_000,
    hasBegun: false,
    hasFailed: false,
    wasSent: true,
    startAhead: () => log.push(`${name} starts`),
    abort: () => log.push(`${name} ends`),
    ...state,
  } as unknown as Attempt;
}

/** @param others the attempts that other routes can take */
function openHedging(log: string[], others: (Attempt | null)[]) {
  const costs = { noteFailed: () => log.push('costs') } as unknown as RunCosts;
  const routes = {
    context: { model: { routing: { hedgeAfterMs: HEDGE_AFTER_MS } }, settlement: { watch: null } },
    enterAnother: () => others.shift() ?? null,
    noteFailure: () => log.push('failure'),
    noteGivenUp: () => log.push('given up'),
  };
  const owner = { preferHedge: () => log.push('preferred') };
  return new Hedging(routes as unknown as ConstructorParameters<typeof Hedging>[0], costs, owner);
}

describe('the second attempt of a request', () => {
  it('starts once, when the first one has had no content for the time', () => {
    const log: string[] = [];
    const hedging = openHedging(log, [createAttempt('second', log), createAttempt('third', log)]);
    const first = createAttempt('first', log);
    hedging.check(first, 1_199);
    expect(log).toEqual([]);
    for (const nowMs of [1_200, 5_000]) hedging.check(first, nowMs);
    expect(log).toEqual(['second starts']);
  });

  it('starts later if no route could take it', () => {
    const log: string[] = [];
    const hedging = openHedging(log, [null, createAttempt('second', log)]);
    const first = createAttempt('first', log);
    for (const nowMs of [1_200, 1_300]) hedging.check(first, nowMs);
    expect(log).toEqual(['second starts']);
  });

  it('replaces the first one, which then ends and may cost something', () => {
    const log: string[] = [];
    const second = createAttempt('second', log);
    const hedging = openHedging(log, [second]);
    const first = createAttempt('first', log);
    hedging.check(first, 1_200);
    expect(hedging.replace(first)).toBe(second);
    expect(log).toEqual(['second starts', 'given up', 'costs', 'first ends']);
    hedging.cancel();
    expect(log).toHaveLength(4);
  });

  it.each<Partial<Attempt>>([{ hasBegun: true }, { hasFailed: true }])(
    'ends if the first one has something for the caller: %j',
    (state) => {
      const log: string[] = [];
      const hedging = openHedging(log, [createAttempt('second', log)]);
      hedging.check(createAttempt('first', log), 1_200);
      expect(hedging.replace(createAttempt('first', log, state))).toBe(null);
      expect(log.slice(1)).toEqual(['given up', 'costs', 'second ends']);
    },
  );

  it('costs nothing if it was never sent', () => {
    const log: string[] = [];
    const hedging = openHedging(log, [createAttempt('second', log, { wasSent: false })]);
    hedging.check(createAttempt('first', log), 1_200);
    hedging.hedgeFailed(HEDGED);
    expect(log).toEqual(['second starts', 'failure', 'second ends']);
    hedging.hedgeFailed(HEDGED);
    expect(log).toHaveLength(3);
  });
});

describe('a check of a request', () => {
  function openCheck(hedgeAfterMs: number | null) {
    const log: string[] = [];
    const watch = {
      hedging: null as { cancel(): void } | null,
      noteWaiting: (_: unknown, ms: number) => log.push(`waiting ${ms}`),
    };
    const routes = {
      context: { model: { routing: { hedgeAfterMs } }, settlement: { watch } },
      enterAnother: () => createAttempt('second', log),
      noteGivenUp: () => log.push('given up'),
      hedging: null,
    };
    const costs = { noteFailed: () => log.push('costs') };
    const owner = { preferHedge: () => undefined };
    const check = (state: Partial<Attempt>, nowMs: number) =>
      hedge(createAttempt('first', log, state), {
        nowMs,
        routes,
        costs,
        owner,
      } as unknown as Parameters<typeof hedge>[1]);
    return { log, watch, routes, check };
  }

  it('notes how long the first attempt has had no content, and starts the second one in time', () => {
    const { log, watch, check } = openCheck(HEDGE_AFTER_MS);
    check({ awaitsContent: false }, 2_000);
    expect(log).toEqual([]);
    check({ awaitsContent: true }, 1_100);
    check({ awaitsContent: true }, 1_300);
    expect(log).toEqual(['waiting 100', 'waiting 300', 'second starts']);
    // The first content and the end of the request end it.
    watch.hedging?.cancel();
    expect(log.slice(3)).toEqual(['given up', 'costs', 'second ends']);
  });

  it('starts nothing if the model does not ask for it', () => {
    const { log, routes, check } = openCheck(null);
    check({ awaitsContent: true }, 100_000);
    expect([log, routes.hedging]).toEqual([['waiting 99000'], null]);
  });
});
