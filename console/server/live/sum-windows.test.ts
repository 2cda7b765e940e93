import type { WindowsAnswer } from '@tollgate/core/runtime/replica-asks';
import { expect, it } from 'vitest';
import { sumWindows } from './sum-windows.ts';

function answer(keptBy: WindowsAnswer['keptBy'], used: number, resetMs: number): WindowsAnswer {
  const requests = { limit: 10, remaining: 10 - used, resetMs };
  const nothing = { requests: null, tokens: null };
  return { about: 'windows', keptBy, key: { requests, tokens: null }, account: nothing };
}

const getRequests = (...answers: WindowsAnswer[]) => sumWindows(answers)?.key.requests;

it('adds up the usage of replicas that keep limits in memory', () => {
  const [one, other] = [answer('memory', 4, 20_000), answer('memory', 8, 50_000)];
  expect(getRequests(one, other)).toEqual({ used: 12, freeInMs: 50_000 });
  expect(sumWindows([one, other])).toMatchObject({ keptBy: 'memory', account: { requests: null } });
});

it('uses only the value of Redis, which all replicas share', () => {
  expect(getRequests(answer('degraded', 9, 1), answer('redis', 4, 20_000), answer('redis', 5, 1))).toEqual({
    used: 4,
    freeInMs: 20_000,
  });
});

it('counts nothing twice while Redis is down and each replica remembers values of the others', () => {
  const answers = [answer('degraded', 6, 20_000), answer('degraded', 7, 30_000)];
  expect(sumWindows(answers)).toMatchObject({
    keptBy: 'degraded',
    key: { requests: { used: 7, freeInMs: 30_000 } },
  });
});

it('knows nothing if no one has answered', () => {
  expect(sumWindows([])).toBeNull();
});
