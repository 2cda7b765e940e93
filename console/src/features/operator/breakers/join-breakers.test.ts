import { describe, expect, it } from 'vitest';
import type { OperatorReplica } from '../operator-types.ts';
import { describeBreaker } from './describe-breaker.ts';
import { joinBreakers, type Breaker } from './join-breakers.ts';

const breaker = (part: Partial<Breaker>): Breaker => ({
  routeId: 'route_a',
  counts: 'completions',
  modelId: 'model-a',
  providerName: 'one',
  credentialId: null,
  credential: null,
  state: 'open',
  forMs: 60_000,
  retryInMs: 8_000,
  failures: 5,
  lastError: 'status_503',
  lastFailureAgoMs: 2_000,
  blockedAccounts: null,
  ...part,
});

function replica(id: string, breakers: Breaker[] | null): OperatorReplica {
  const at = '2026-11-22T12:00:00.000Z';
  const ledger = { isWritable: true, holds: 0, settlements: 0, spooledBytes: 0, isSpoolFull: false };
  const report = { version: '1.0.0', isDraining: false, inFlight: 0, limits: 'memory' as const, ledger };
  return {
    id,
    startedAt: at,
    heartbeatAt: at,
    state: breakers === null ? 'unresponsive' : 'answers',
    report: breakers && { ...report, breakers, breakersLeftOut: 0 },
  };
}

describe('joinBreakers', () => {
  it('merges the breakers of several replicas, worst first', () => {
    const routes = joinBreakers([
      replica('rep_1', [breaker({ state: 'closed', failures: 2, retryInMs: 0 })]),
      replica('rep_2', [breaker({}), breaker({ counts: 'token counts', state: 'half-open' })]),
      replica('rep_3', null),
    ]);
    expect(routes).toMatchObject([
      {
        counts: 'completions',
        state: 'open',
        on: 1,
        replicas: [{ replicaId: 'rep_2' }, { replicaId: 'rep_1' }],
      },
      { counts: 'token counts', state: 'half-open', on: 1, replicas: [{ replicaId: 'rep_2' }] },
    ]);
  });

  it('returns nothing without failing routes', () => {
    expect(joinBreakers([replica('rep_1', []), replica('rep_2', null)])).toEqual([]);
  });
});

describe('describeBreaker', () => {
  const reportedAtMs = Date.parse('2026-11-22T12:00:00.000Z');
  const describeAt = (part: Partial<Breaker>, afterMs: number) =>
    describeBreaker(breaker(part), { reportedAtMs, nowMs: reportedAtMs + afterMs });

  it('counts down to the next retry and shows the reason', () => {
    expect(describeAt({}, 0)).toMatch(
      /^since \d\d:59:00, for all accounts; retry in 8 s; HTTP 503, 5 failures in a row$/,
    );
    expect(describeAt({ blockedAccounts: 1 }, 0)).toContain('for 1 account;');
    expect(describeAt({}, 3_000)).toContain('retry in 5 s');
    expect(describeAt({}, 9_000)).toContain('retries with the next request');
  });

  it('shows no retry for a closed breaker', () => {
    expect(describeAt({ state: 'closed', failures: 1, lastError: 'timeout' }, 0)).toMatch(
      /^since \d\d:59:00; timeout, 1 failure in a row$/,
    );
  });
});
