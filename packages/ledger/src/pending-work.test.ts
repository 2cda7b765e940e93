import { holdRequest, requestRecord } from '@tollgate/testing/ledger-records';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PendingWork } from './pending-work.ts';

const owner = { accountId: 'acc_1', keyId: 'key_1' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('64 holds and releasing settlements start a transaction immediately, fewer wait 10 ms', () => {
  const work = new PendingWork();
  for (let at = 0; at < 32; at++)
    work.addHold({ request: holdRequest(owner), state: 'waiting', onOutcome: () => {} });
  for (let at = 0; at < 31; at++) work.addSettlement({ ...requestRecord(owner), isHeld: true });
  expect(work.dueAtMs()).toBe(performance.now() + 10);
  work.addSettlement({ ...requestRecord(owner), isHeld: true });
  expect(work.dueAtMs()).toBe(-Infinity);
});

it('a batch has up to 1,000 records without a hold, but 20 for one second after a hold', () => {
  const work = new PendingWork();
  for (let at = 0; at < 1_300; at++) work.addSettlement({ ...requestRecord(owner), isHeld: false });
  expect(work.takeBatch().settlements).toHaveLength(1_000);
  work.addHold({ request: holdRequest(owner), state: 'waiting', onOutcome: () => {} });
  expect(work.takeBatch()).toMatchObject({ holds: { length: 1 }, settlements: { length: 20 } });
  vi.advanceTimersByTime(999);
  expect(work.takeBatch().settlements).toHaveLength(20);
  vi.advanceTimersByTime(1);
  expect(work.takeBatch().settlements).toHaveLength(260);
});

it.each([
  [400, 20],
  [1_000, 50],
  [3_000, 100],
])('of %d waiting records without a hold, a batch with a hold has %d', (waiting, stored) => {
  const work = new PendingWork();
  for (let at = 0; at < waiting; at++) work.addSettlement({ ...requestRecord(owner), isHeld: false });
  work.addHold({ request: holdRequest(owner), state: 'waiting', onOutcome: () => {} });
  expect(work.takeBatch().settlements).toHaveLength(stored);
});
