import { describe, expect, it } from 'vitest';
import { HEDGED } from './attempt-failure.ts';
import type { Attempt } from './attempt.ts';
import { Hedging } from './hedging.ts';
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
