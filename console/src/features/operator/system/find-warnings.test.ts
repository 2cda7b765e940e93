import { expect, it } from 'vitest';
import type { OperatorReplica } from '../operator-types.ts';
import { findWarnings } from './find-warnings.ts';

type Report = NonNullable<OperatorReplica['report']>;

function replica(part: Partial<Report>): OperatorReplica {
  const at = '2026-11-22T12:00:00.000Z';
  const report: Report = {
    version: '1.0.0',
    isDraining: false,
    inFlight: 0,
    limits: 'redis',
    ledger: { isWritable: true, holds: 0, settlements: 0, spooledBytes: 0, isSpoolFull: false },
    breakers: [],
    breakersLeftOut: 0,
    ...part,
  };
  return { id: 'rep_1', startedAt: at, heartbeatAt: at, state: 'answers', report };
}

const warn = (...parts: Partial<Report>[]) =>
  findWarnings({ consoleVersion: '1.0.0', replicas: parts.map(replica) });

it('returns no warnings for a healthy system, including one replica with limits in memory', () => {
  expect(warn({ limits: 'memory' })).toEqual([]);
  expect(warn({}, {})).toEqual([]);
  // Workers of one api share their limits.
  expect(warn({ limits: 'memory' }, { limits: 'memory', isCountedElsewhere: true })).toEqual([]);
});

it('warns if versions differ between replicas or from the console', () => {
  expect(warn({}, { version: '1.1.0' })).toEqual([expect.stringContaining('1.0.0 and 1.1.0')]);
  expect(warn({ version: '1.1.0' })).toEqual([
    expect.stringContaining('The API runs version 1.1.0, the console 1.0.0'),
  ]);
});

it('names the supervisor, not Redis, if the supervisor of the workers does not respond', () => {
  expect(warn({ limits: 'degraded', isRefusing: true }, { limits: 'memory' })).toEqual([
    "The supervisor of the API's workers does not respond to 1 replica. Requests with limits are rejected there. If this lasts, restart the API.",
  ]);
  expect(warn({ limits: 'degraded', isRefusing: true }, { limits: 'degraded' })).toHaveLength(2);
});

it('warns if limits are not shared or the ledger is not writable', () => {
  const ledger = { isWritable: false, holds: 0, settlements: 3, spooledBytes: 9, isSpoolFull: false };
  expect(warn({ limits: 'memory' }, { limits: 'memory' })).toEqual([
    expect.stringContaining('up to 2 times their limits. Set REDIS_URL'),
  ]);
  expect(warn({ limits: 'degraded' }, {})).toEqual([
    expect.stringContaining('Redis does not respond to 1 replica'),
  ]);
  expect(warn({ ledger }, {})).toEqual([expect.stringContaining('1 replica cannot write the ledger')]);
});
