import { expect, it } from 'vitest';
import type { RouteEvent } from './route-events.ts';
import { SharedRouteBreakers, SharedRouteCooldowns } from './shared-routes.ts';

const POLICY = { failures: 3, openMs: 10_000 };
const FAILURE = { accountId: 'acct', error: 'timeout', isUnreachable: false };

/** The breakers and cooldowns of several processes. */
function share(processes: number) {
  let nowMs = 1_000_000;
  const clock = { nowMs: () => nowMs };
  const sent: RouteEvent[] = [];
  const sites: { breakers: SharedRouteBreakers; cooldowns: SharedRouteCooldowns }[] = [];
  for (let index = 0; index < processes; index++) {
    const publish = (event: RouteEvent) => {
      sent.push(event);
      for (const [other, { breakers, cooldowns }] of sites.entries())
        if (other !== index) {
          if (event.kind === 'cooldown') cooldowns.note(event);
          else breakers.note(event);
        }
    };
    sites.push({
      breakers: new SharedRouteBreakers(publish, clock, POLICY),
      cooldowns: new SharedRouteCooldowns(publish, clock),
    });
  }
  const [one, other] = sites;
  if (one === undefined || other === undefined) throw new Error('needs two processes');
  return { one, other, sent, turnMs: (ms: number) => (nowMs += ms) };
}

it('opens the breaker everywhere when the processes together have seen enough failures', () => {
  const { one, other } = share(2);
  one.breakers.fail('route', FAILURE);
  other.breakers.fail('route', FAILURE);
  expect([one.breakers.tryPass('route', 'acct'), other.breakers.tryPass('route', 'acct')]).toEqual([
    true,
    true,
  ]);
  one.breakers.fail('route', FAILURE);
  expect([one.breakers.tryPass('route', 'acct'), other.breakers.tryPass('route', 'acct')]).toEqual([
    false,
    false,
  ]);
  expect(other.breakers.getLastError('route', 'acct')).toBe('timeout');
});

it('a success at one process ends the failures in a row of all', () => {
  const { one, other } = share(2);
  one.breakers.fail('route', FAILURE);
  one.breakers.fail('route', FAILURE);
  other.breakers.succeed('route', 'acct');
  one.breakers.fail('route', FAILURE);
  expect(one.breakers.tryPass('route', 'acct')).toBe(true);
});

it('lets one process send the probe, and closes everywhere when it succeeds', () => {
  const { one, other, turnMs } = share(2);
  for (let index = 0; index < POLICY.failures; index++) one.breakers.fail('route', FAILURE);
  turnMs(POLICY.openMs);
  expect([one.breakers.tryPass('route', 'acct'), other.breakers.tryPass('route', 'acct')]).toEqual([
    true,
    false,
  ]);
  one.breakers.succeed('route', 'acct');
  expect(other.breakers.isFailing('route')).toBe(false);
});

it('a probe without a result frees the place of the probe everywhere', () => {
  const { one, other, turnMs } = share(2);
  for (let index = 0; index < POLICY.failures; index++) one.breakers.fail('route', FAILURE);
  turnMs(POLICY.openMs);
  one.breakers.tryPass('route', 'acct');
  one.breakers.release('route', 'acct');
  expect(other.breakers.tryPass('route', 'acct')).toBe(true);
});

it('a health check closes the breakers of all', () => {
  const { one, other } = share(2);
  for (let index = 0; index < POLICY.failures; index++) one.breakers.fail('route', FAILURE);
  other.breakers.recover('route');
  expect(one.breakers.tryPass('route', 'acct')).toBe(true);
});

it('sends nothing about routes that work', () => {
  const { one, sent } = share(2);
  expect(one.breakers.tryPass('route', 'acct')).toBe(true);
  one.breakers.succeed('route', 'acct');
  one.breakers.release('route', 'acct');
  one.cooldowns.start('route', 'acct', null);
  expect(sent).toEqual([]);
});

it('shares how long a route asked an account to wait', () => {
  const { one, other } = share(2);
  one.cooldowns.start('route', 'acct', 5_000);
  expect(other.cooldowns.getRemainingMs('route', 'acct')).toBe(5_000);
  expect(other.cooldowns.getRemainingMs('route', 'other')).toBeNull();
});
