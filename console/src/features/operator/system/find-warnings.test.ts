import { expect, it } from 'vitest';
import type { OperatorReplica } from '../operator-types.ts';
import { findWarnings } from './find-warnings.ts';

type Told = NonNullable<OperatorReplica['told']>;

function replica(part: Partial<Told>): OperatorReplica {
  const at = '2026-11-22T12:00:00.000Z';
  const told: Told = {
    version: '1.0.0',
    isDraining: false,
    inFlight: 0,
    limits: 'redis',
    ledger: { isWritable: true, holds: 0, settlements: 0, spooledBytes: 0, isSpoolFull: false },
    breakers: [],
    breakersLeftOut: 0,
    ...part,
  };
  return { id: 'rep_1', startedAt: at, heartbeatAt: at, state: 'answers', told };
}

const warn = (...parts: Partial<Told>[]) =>
  findWarnings({ consoleVersion: '1.0.0', replicas: parts.map(replica) });

it('warns of nothing where all is well, one process with its limits in memory included', () => {
  expect(warn({ limits: 'memory' })).toEqual([]);
  expect(warn({}, {})).toEqual([]);
});

it('warns where releases differ, among the processes or from the console', () => {
  expect(warn({}, { version: '1.1.0' })).toEqual([expect.stringContaining('1.0.0 and 1.1.0')]);
  expect(warn({ version: '1.1.0' })).toEqual([
    expect.stringContaining('The API runs version 1.1.0, the console 1.0.0'),
  ]);
});

it('warns where limits count more than once, and where the ledger cannot be written', () => {
  const ledger = { isWritable: false, holds: 0, settlements: 3, spooledBytes: 9, isSpoolFull: false };
  expect(warn({ limits: 'memory' }, { limits: 'memory' })).toEqual([
    expect.stringContaining('up to 2 times their limits. Set REDIS_URL'),
  ]);
  expect(warn({ limits: 'degraded' }, {})).toEqual([
    expect.stringContaining('Redis does not respond to 1 replica'),
  ]);
  expect(warn({ ledger }, {})).toEqual([expect.stringContaining('1 replica cannot write the ledger')]);
});
