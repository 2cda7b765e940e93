import type { HealthCheckCount } from '@tollgate/db/queries/health-checks/health-checks';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { CheckTally } from './check-tally.ts';

const HOUR_MS = 3_600_000;
const CHECK = {
  routeId: 'route_a',
  model: 'm',
  provider: 'p',
  inputTokens: 11,
  outputTokens: 2,
  costNanoUsd: 7n,
  isStopped: false,
};

it('sums checks by hour, and keeps what could not be stored', async () => {
  const stored: HealthCheckCount[] = [];
  let fails = true;
  const store = async (counts: readonly HealthCheckCount[]) => {
    if (fails) throw new Error('no database');
    stored.push(...counts);
  };
  const tally = new CheckTally({ store, log: pino({ level: 'silent' }) });
  tally.note({ ...CHECK, endedAtMs: HOUR_MS + 1, error: null });
  await tally.flush();
  tally.note({ ...CHECK, endedAtMs: HOUR_MS + 2, error: 'timeout' });
  tally.note({ ...CHECK, endedAtMs: 2 * HOUR_MS, isStopped: true, error: null });
  fails = false;
  await tally.close();
  expect(stored).toMatchObject([
    {
      hourMs: HOUR_MS,
      checks: 2,
      failures: 1,
      inputTokens: 22,
      outputTokens: 4,
      costNanoUsd: 14n,
      lastCheckedAtMs: HOUR_MS + 2,
      lastError: 'timeout',
    },
    { hourMs: 2 * HOUR_MS, checks: 1, failures: 0, lastError: null },
  ]);
  await tally.close();
  expect(stored).toHaveLength(2);
});

it('stores one part after the other', async () => {
  const stored: string[][] = [];
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const store = async (counts: readonly HealthCheckCount[]) => {
    const wait = waits[stored.push(counts.map(({ routeId }) => routeId)) - 1];
    await wait?.promise;
  };
  const tally = new CheckTally({ store, log: pino({ level: 'silent' }) });
  const note = (routeId: string) => tally.note({ ...CHECK, routeId, endedAtMs: 1, error: null });
  note('a');
  const first = tally.flush();
  note('b');
  expect(tally.flush()).toBe(first);
  const closed = tally.close();
  await Promise.resolve();
  expect(stored).toEqual([['a']]);
  waits[0]?.resolve();
  await first;
  await expect.poll(() => stored).toEqual([['a'], ['b']]);
  waits[1]?.resolve();
  await closed;
});

it('counts no more routes than it can keep while it cannot store them', async () => {
  const stored: HealthCheckCount[] = [];
  const store = async (counts: readonly HealthCheckCount[]) => void stored.push(...counts);
  const tally = new CheckTally({ store, log: pino({ level: 'silent' }) });
  for (let count = 0; count <= 10_000; count += 1)
    tally.note({ ...CHECK, routeId: `route_${count}`, endedAtMs: 1, error: null });
  tally.note({ ...CHECK, routeId: 'route_0', endedAtMs: 1, error: null });
  await tally.close();
  expect(stored).toHaveLength(10_000);
  expect(stored[0]?.checks).toBe(2);
});
