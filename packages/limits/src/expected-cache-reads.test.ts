import { expect, it } from 'vitest';
import { ExpectedCacheReads } from './expected-cache-reads.ts';

const MINUTE_MS = 60_000;

function open() {
  let nowMs = 0;
  const reads = new ExpectedCacheReads({ nowMs: () => nowMs });
  return { reads, wait: (ms: number) => (nowMs += ms) };
}

it('expects what the last request of the session has read or written, for five minutes', () => {
  const { reads, wait } = open();
  expect(reads.expect(1).tokens).toBe(0);
  reads.expect(1).settle(5_000);
  wait(4 * MINUTE_MS);
  const second = reads.expect(1);
  expect([second.tokens, reads.expect(2).tokens]).toEqual([5_000, 0]);
  second.settle(7_000);
  wait(4 * MINUTE_MS);
  const third = reads.expect(1);
  expect(third.tokens).toBe(7_000);
  third.settle(7_000);
  wait(5 * MINUTE_MS);
  expect(reads.expect(1).tokens).toBe(0);
});

it('lets one request at a time expect it', () => {
  const { reads } = open();
  reads.expect(1).settle(5_000);
  const first = reads.expect(1);
  expect([first.tokens, reads.expect(1).tokens]).toEqual([5_000, 0]);
});

it('expects it again after a request that was not answered, but no longer', () => {
  const { reads, wait } = open();
  reads.expect(1).settle(5_000);
  wait(3 * MINUTE_MS);
  reads.expect(1).settle(null);
  const again = reads.expect(1);
  expect(again.tokens).toBe(5_000);
  again.settle(null);
  wait(2 * MINUTE_MS);
  expect(reads.expect(1).tokens).toBe(0);
});

it('forgets it if a request has read and written nothing', () => {
  const { reads } = open();
  reads.expect(1).settle(5_000);
  reads.expect(1).settle(0);
  expect(reads.expect(1).tokens).toBe(0);
});

it('replaces nothing newer when an older request fails', () => {
  const { reads } = open();
  reads.expect(1).settle(5_000);
  const older = reads.expect(1);
  reads.expect(1).settle(9_000);
  older.settle(null);
  expect(reads.expect(1).tokens).toBe(9_000);
});

it('remembers at most 10,000 sessions', () => {
  const { reads } = open();
  for (let session = 0; session <= 10_000; session += 1) reads.expect(session).settle(1);
  expect([reads.expect(0).tokens, reads.expect(1).tokens]).toEqual([0, 1]);
});
