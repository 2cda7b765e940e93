import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeLimitStore } from '../limit-store.contract.ts';
import type { LimitCall } from './calls.ts';
import { CoordinatedLimitStore } from './coordinated-store.ts';
import { LimitCoordinator } from './limit-coordinator.ts';

const ACCOUNT = { accountId: 'acct', account: { rpm: null, tpm: null } };
const request = (rpm: number, tokens = 0) => ({ ...ACCOUNT, keyId: 'key', key: { rpm, tpm: 100 }, tokens });

/** A store whose messages are text, as between processes. */
function connect(coordinator: LimitCoordinator, deadlineMs?: number) {
  const answer = coordinator.connect();
  const sent: LimitCall[][] = [];
  const site = { isAway: false, sent };
  const deliver = (calls: LimitCall[]) => {
    const replies = answer(JSON.parse(JSON.stringify(calls)) as LimitCall[]);
    if (replies.length > 0)
      setImmediate(() => store.receive(JSON.parse(JSON.stringify(replies)) as typeof replies));
  };
  const late: LimitCall[][] = [];
  const store: CoordinatedLimitStore = new CoordinatedLimitStore({
    send: (calls) => {
      sent.push(calls);
      if (site.isAway) late.push(calls);
      else deliver(calls);
    },
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
  const comeBack = () => {
    site.isAway = false;
    for (const calls of late.splice(0)) deliver(calls);
  };
  return { store, site, comeBack };
}

describeLimitStore('a coordinator', () => {
  let nowMs = 1_700_000_000_000;
  const { store } = connect(new LimitCoordinator({ nowMs: () => nowMs }));
  return Promise.resolve({
    store,
    turnMs: (ms: number) => {
      nowMs += ms;
    },
    [Symbol.asyncDispose]: () => store.close(),
  });
});

it.each([1, 2, 3])('admits exactly the limit of a burst from %i processes', async (processes) => {
  const coordinator = new LimitCoordinator({ nowMs: () => 0 });
  const stores = Array.from({ length: processes }, () => connect(coordinator).store);
  const [first] = stores;
  if (first === undefined) throw new Error('There is no process');
  for (const rpm of [1, 7, 50]) {
    const asked = Array.from({ length: 120 }, (_, index) =>
      (stores[index % processes] ?? first).take({ ...request(rpm), keyId: `key_${rpm}` }),
    );
    const admitted = (await Promise.all(asked)).filter((decision) => decision.ok);
    expect(admitted).toHaveLength(rpm);
  }
  await Promise.all(stores.map((store) => store.close()));
});

it('sends the calls of one turn together', async () => {
  const { store, site } = connect(new LimitCoordinator());
  await Promise.all([store.take(request(5)), store.take(request(5)), store.peek(request(5))]);
  expect(site.sent.map((calls) => calls.length)).toEqual([3]);
  await store.close();
});

it('keeps what an ended process has reserved', async () => {
  const coordinator = new LimitCoordinator();
  const [ended, other] = [connect(coordinator).store, connect(coordinator).store];
  expect((await ended.take(request(5, 60))).ok).toBe(true);
  expect(await other.take(request(5, 41))).toMatchObject({ ok: false, kind: 'retry', limit: 'tokens' });
  expect((await other.take(request(5, 40))).ok).toBe(true);
  await Promise.all([ended.close(), other.close()]);
});

it('refuses requests while the coordinator does not answer, and does not count them afterwards', async () => {
  const { store, site, comeBack } = connect(new LimitCoordinator(), 100);
  site.isAway = true;
  expect(await store.take(request(1))).toMatchObject({ ok: false, kind: 'unavailable' });
  expect(store.health()).toBe('unavailable');
  comeBack();
  await sleep(20);
  expect(store.health()).toBe('memory');
  expect((await store.take(request(1))).ok).toBe(true);
  expect((await store.take(request(1))).ok).toBe(false);
  await store.close();
});

it('waits for a coordinator that is away for a moment', async () => {
  const { store, site, comeBack } = connect(new LimitCoordinator());
  site.isAway = true;
  const asked = store.take(request(1));
  setTimeout(comeBack, 300);
  expect((await asked).ok).toBe(true);
  await store.close();
});
