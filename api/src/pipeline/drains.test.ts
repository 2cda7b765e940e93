import { afterEach, expect, it } from 'vitest';
import { Drains, type Draining } from './drains.ts';

const drains = new Drains({ limitMs: 60_000, maxConcurrent: 8, maxPerAccount: 3 });
const started: Draining[] = [];
afterEach(() => {
  for (const draining of started.splice(0)) drains.end(draining);
});

function start(accountId: string): boolean {
  const draining: Draining = { stop: () => drains.end(draining) };
  const isStarted = drains.start(draining, accountId);
  if (isStarted) started.push(draining);
  return isStarted;
}

it('drains leave room for other accounts, however many responses one account abandons', () => {
  expect(Array.from({ length: 6 }, () => start('greedy'))).toEqual([true, true, true, false, false, false]);
  expect(['a', 'b'].map(start)).toEqual([true, true]);
});

it("a drain releases the account's share once when it ends", () => {
  for (let count = 0; count < 3; count++) start('a');
  const [first] = started;
  if (first === undefined) throw new Error('nothing was started');
  drains.end(first);
  drains.end(first);
  expect([start('a'), start('a')]).toEqual([true, false]);
});

it('drains have a limit for all accounts together', () => {
  const tries = Array.from({ length: 10 }, (_, index) => start(`account-${index}`));
  expect(tries.filter(Boolean)).toHaveLength(8);
  expect(drains.size).toBe(8);
});
