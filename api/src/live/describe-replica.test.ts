import { createId } from '@tollgate/core/runtime/ids';
import { parseReply } from '@tollgate/core/runtime/replica-asks';
import type { Limits } from '@tollgate/limits/create-limits';
import { RouteBreakers } from '@tollgate/upstreams/routing/route-breakers';
import { expect, it } from 'vitest';
import { describeReplica } from './describe-replica.ts';

/** https://www.postgresql.org/docs/current/sql-notify.html */
const MAX_PAYLOAD_BYTES = 7_999;

function setUp() {
  let nowMs = 1_800_000_000_000;
  const clock = { nowMs: () => nowMs };
  const breakers = new RouteBreakers(clock, { failures: 2, openMs: 10_000 });
  const ledger = {
    isWritable: true,
    waiting: 1,
    waitingHolds: 2,
    spooledBytes: 3,
    isSpoolFull: false,
    isJournalWritable: true,
  };
  const describe = (health: ReturnType<Limits['health']> = 'memory') =>
    describeReplica({
      clock,
      breakers,
      limits: { health: () => health },
      ledger: { health: ledger },
      inFlight: { size: 4 },
      isDraining: () => false,
    });
  const fail = (breakerId: string, error: string) =>
    breakers.fail(breakerId, { accountId: 'acct_a', error, isUnreachable: false });
  return { fail, describe, turnMs: (ms: number) => (nowMs += ms) };
}

it('lists failing routes with open breakers first, and the endpoint whose requests fail', () => {
  const { fail, describe, turnMs } = setUp();
  fail('route_shaky', 'timeout');
  fail('route_down count_tokens', 'status_503');
  turnMs(1_000);
  fail('route_down count_tokens', 'connect');
  turnMs(500);
  const description = describe();
  expect(description).toMatchObject({
    inFlight: 4,
    ledger: { isWritable: true, holds: 2, settlements: 1, spooledBytes: 3, isSpoolFull: false },
    breakersLeftOut: 0,
  });
  expect(description.breakers).toEqual([
    {
      routeId: 'route_down',
      credentialId: null,
      counts: 'token counts',
      state: 'open',
      forMs: 500,
      retryInMs: 9_500,
      failures: 2,
      lastError: 'connect',
      lastFailureAgoMs: 500,
      blockedAccounts: 1,
    },
    expect.objectContaining({ routeId: 'route_shaky', counts: 'completions', state: 'closed', forMs: 1_500 }),
  ]);
});

it('fits in a message however many routes fail, and reports how many it leaves out', () => {
  const { fail, describe, turnMs } = setUp();
  for (let index = 0; index < 60; index++) {
    const id = `${createId('route')}/${createId('cred')} count_tokens`;
    for (let failure = 0; failure < 2; failure++) fail(id, 'a word that is far too long '.repeat(5));
  }
  turnMs(10_000);
  const answer = describe();
  expect(answer.breakersLeftOut).toBe(60 - answer.breakers.length);
  const reply = JSON.stringify({ askId: crypto.randomUUID(), replicaId: createId('rep'), answer });
  expect(Buffer.byteLength(reply)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
  expect(parseReply(reply)?.answer).toEqual(answer);
});

it('reports that requests with limits are refused while the supervisor of the workers does not respond', () => {
  const { describe } = setUp();
  const read = (answer: ReturnType<typeof describe>) =>
    parseReply(JSON.stringify({ askId: crypto.randomUUID(), replicaId: createId('rep'), answer }))?.answer;
  expect(read(describe('unavailable'))).toMatchObject({ limits: 'degraded', isRefusing: true });
  // Without Redis, each replica counts separately, which refuses nothing.
  expect(describe('degraded')).not.toHaveProperty('isRefusing');
});
