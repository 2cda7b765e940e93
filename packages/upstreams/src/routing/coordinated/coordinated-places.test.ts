import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ProviderPlace } from '../provider-concurrency.ts';
import type { PlaceCall, PlaceReply } from './place-calls.ts';
import { PlaceCoordinator } from './place-coordinator.ts';
import { SharedConcurrency } from './shared-concurrency.ts';

/** Several processes with one coordinator, whose messages are copied like those between processes. */
function open(count: number, { isAnswering = true, aheadMs = 1_000 } = {}) {
  const coordinator = new PlaceCoordinator();
  const processes = Array.from({ length: count }, () => {
    const send = (calls: PlaceCall[]) => {
      if (isAnswering) connection.receive(structuredClone(calls));
    };
    // Only the tests without answers wait for the deadline.
    const concurrency = new SharedConcurrency({ send, deadlineMs: isAnswering ? 60_000 : 30, aheadMs });
    const connection = coordinator.connect((replies: PlaceReply[]) =>
      concurrency.receive(structuredClone(replies)),
    );
    return { concurrency, connection };
  });
  return {
    coordinator,
    processes,
    take: (at: number, max: number | null, accountId = 'acc_a') => {
      const place = processes[at]?.concurrency.tryAcquire('prov_1', max, accountId);
      if (place === undefined || place === null) throw new Error(`no process ${at}`);
      return place;
    },
  };
}

/** True: granted. */
const settle = (places: readonly ProviderPlace[]) => Promise.all(places.map(async ({ granted }) => granted));

/** Until all messages have been exchanged. */
async function exchange(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await setImmediate();
}

describe('places of several processes', () => {
  it.each([1, 2, 3])('grants %i processes the maximum and no more', async (count) => {
    const { coordinator, take } = open(count);
    const places = Array.from({ length: 12 }, (_, index) => take(index % count, 5));
    const granted = await settle(places);
    expect(granted.filter(Boolean)).toHaveLength(5);
    // All places can be at one process.
    for (const place of places) place.release();
    await exchange();
    expect(coordinator.getCount('prov_1')).toBe(0);
    const later = await settle(Array.from({ length: 6 }, () => take(count - 1, 5)));
    expect(later.filter(Boolean)).toHaveLength(5);
  });

  it('never exceeds the maximum while calls begin and end at random, and loses no place', async () => {
    const { coordinator, take } = open(3);
    let running = 0;
    let highest = 0;
    const run = async (index: number) => {
      for (let call = 0; call < 40; call += 1) {
        const place = take((index + call) % 3, 4, `acc_${index % 3}`);
        if (index % 5 === 0 && call % 7 === 0) place.release();
        if ((await place.granted) !== true) continue;
        running += 1;
        highest = Math.max(highest, running);
        await setImmediate();
        const end = Promise.withResolvers<void>();
        if (call % 3 === 0) {
          place.offer(end.resolve);
          setTimeout(end.resolve, 1);
          await end.promise;
        }
        running -= 1;
        place.release();
      }
    };
    await Promise.all(Array.from({ length: 15 }, (_, index) => run(index)));
    await exchange();
    expect(highest).toBe(4);
    expect(coordinator.getCount('prov_1')).toBe(0);
  });

  it('needs no message without a maximum', () => {
    const { processes, take } = open(1);
    const place = take(0, null);
    expect(place.granted).toBeNull();
    expect(processes[0]?.concurrency.getCount('prov_1')).toBe(0);
  });

  it('gives an account half of the places after another one was refused, whatever the process', async () => {
    const { take } = open(2);
    const first = [0, 1, 0, 1].map((at) => take(at, 4, 'acc_a'));
    expect(await settle(first)).toEqual([true, true, true, true]);
    expect(await settle([take(1, 4, 'acc_b')])).toEqual([false]);
    first[0]?.release();
    expect(await settle([take(1, 4, 'acc_a'), take(1, 4, 'acc_b')])).toEqual([false, true]);
  });

  it('releases the places of a process that has ended, and ignores its last messages', async () => {
    const { coordinator, processes, take } = open(2);
    expect(await settle([take(0, 3), take(0, 3), take(1, 3)])).toEqual([true, true, true]);
    processes[0]?.connection.close();
    expect(coordinator.getCount('prov_1')).toBe(1);
    processes[0]?.connection.receive([
      { id: 99, call: 'take', providerId: 'prov_1', max: 3, accountId: 'acc_a' },
    ]);
    expect(coordinator.getCount('prov_1')).toBe(1);
    expect(await settle([take(1, 3), take(1, 3), take(1, 3)])).toEqual([true, true, false]);
  });

  it('refuses a call without an answer of the coordinator', async () => {
    const { processes, take } = open(1, { isAnswering: false });
    const place = take(0, 5);
    expect(await place.granted).toBe(false);
    expect(processes[0]?.concurrency.getCount('prov_1')).toBe(0);
  });

  it('releases a place that its request did not wait for', async () => {
    const { coordinator, take } = open(1);
    const place = take(0, 1);
    place.release();
    expect(await place.granted).toBe(false);
    await exchange();
    expect(coordinator.getCount('prov_1')).toBe(0);
    expect(await settle([take(0, 1)])).toEqual([true]);
  });

  it('refuses a health check while callers use all places', async () => {
    const { processes, take } = open(2);
    expect(await settle([take(0, 1)])).toEqual([true]);
    const spare = processes[1]?.concurrency.tryAcquireSpare('prov_1', 1);
    expect(await spare?.granted).toBe(false);
  });
});

describe('an offered place of another process', () => {
  it('is recalled for one call, which waits until it is released', async () => {
    const { coordinator, take } = open(2);
    const offered = take(0, 1);
    let recalls = 0;
    await offered.granted;
    offered.offer(() => (recalls += 1));
    await exchange();
    const waiting = take(1, 1);
    const other = take(1, 1);
    expect(await other.granted).toBe(false);
    expect(recalls).toBe(1);
    offered.release();
    expect(await waiting.granted).toBe(true);
    expect(coordinator.getCount('prov_1')).toBe(1);
  });

  it('limits no account to half of the places', async () => {
    const { take } = open(2);
    const offered = take(0, 4, 'acc_b');
    const held = [take(0, 4), take(0, 4), take(0, 4)];
    expect(await settle([offered, ...held])).toEqual([true, true, true, true]);
    offered.offer(() => offered.release());
    await exchange();
    expect(await settle([take(1, 4, 'acc_c')])).toEqual([true]);
    held[0]?.release();
    // More than half of the places, because no account was refused.
    expect(await settle([take(1, 4)])).toEqual([true]);
  });

  it('goes to the waiting call when its process ends', async () => {
    const { processes, take } = open(2);
    const offered = take(0, 1);
    await offered.granted;
    offered.offer(() => undefined);
    await exchange();
    const waiting = take(1, 1);
    await exchange();
    processes[0]?.connection.close();
    expect(await waiting.granted).toBe(true);
  });

  it('is free again if the waiting request ends first', async () => {
    const { coordinator, take } = open(2);
    const offered = take(0, 1);
    await offered.granted;
    offered.offer(() => undefined);
    await exchange();
    const waiting = take(1, 1);
    await exchange();
    waiting.release();
    await exchange();
    offered.release();
    await exchange();
    expect(coordinator.getCount('prov_1')).toBe(0);
  });
});

describe('a place that is asked for in advance', () => {
  const ask = ({ processes }: ReturnType<typeof open>, max: number | null = 1) =>
    processes[0]?.concurrency.tryAcquireGranted('prov_1', max, 'acc_a');

  it('is taken once it is granted', async () => {
    const opened = open(1);
    expect(ask(opened, null)).toMatchObject({ granted: null });
    expect([ask(opened), ask(opened)]).toEqual(['asked', 'asked']);
    await exchange();
    expect(ask(opened)).toMatchObject({ isGranted: true });
    expect(opened.coordinator.getCount('prov_1')).toBe(1);
  });

  it('is reported as refused, and asked for again later', async () => {
    const opened = open(1);
    const held = opened.take(0, 1);
    await held.granted;
    expect(ask(opened)).toBe('asked');
    await exchange();
    expect(ask(opened)).toBeNull();
    held.release();
    expect(ask(opened)).toBe('asked');
    await exchange();
    expect(ask(opened)).toMatchObject({ isGranted: true });
  });

  it('is released if no call takes it', async () => {
    const opened = open(1, { aheadMs: 5 });
    expect(ask(opened)).toBe('asked');
    await exchange();
    expect(opened.coordinator.getCount('prov_1')).toBe(1);
    await expect.poll(() => opened.coordinator.getCount('prov_1')).toBe(0);
    expect(ask(opened)).toBe('asked');
  });
});
