import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { openBody } from '@tollgate/auth/seal-body';
import { KEPT_BODY_BYTES } from '@tollgate/core/requests/kept-bodies';
import type { BodyStore } from '@tollgate/db/body-store';
import type { SealedBodies } from '@tollgate/db/queries/bodies/insert-bodies';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { BodyQueue, type BodyQueueOptions } from './body-queue.ts';
import { Recording } from './recording.ts';

const sealer = createSealer(randomBytes(32).toString('base64'));
const KIB = 1024;

/** A queue over a store controlled by the test; by default it accepts everything. */
function createHarness(bounds: BodyQueueOptions['bounds'] = {}) {
  const stored: SealedBodies[] = [];
  const logged: { requests: number; message: string }[] = [];
  const state = { insert: (): Promise<void> => Promise.resolve(), isClosed: false };
  const store: BodyStore = {
    insert: async (rows) => {
      await state.insert();
      stored.push(...rows);
    },
    close: () => Promise.resolve(void (state.isClosed = true)),
  };
  const log = {
    warn: (fields: object, message: string) =>
      logged.push({ requests: 'requests' in fields ? Number(fields.requests) : 0, message }),
  };
  const queue = new BodyQueue({ store, sealer, log, bounds });
  let serial = 0;
  const record = (body = 'asked', answer = ['answered']) => {
    serial += 1;
    const head = { requestId: `req_${serial}`, accountId: 'acct_1', startedAtMs: 1 };
    const recording = new Recording(queue, head, Buffer.from(body));
    for (const piece of answer) recording.addLatin1(piece);
    recording.finish();
  };
  const never = () => new Promise<void>(() => undefined);
  return { queue, stored, logged, state, record, never };
}

describe('BodyQueue', () => {
  it('stores recorded payloads, sealed for their row', async () => {
    const { queue, stored, record } = createHarness();
    record('asked', ['ans', 'wered']);
    record('asked', []);
    await queue.close();
    const [first, second] = stored;
    const place = { accountId: 'acct_1', requestId: 'req_1' };
    expect(await openBody(sealer, first?.request.sealed ?? Buffer.of(), { ...place, side: 'request' })).toBe(
      'asked',
    );
    expect(await openBody(sealer, first?.answer?.sealed ?? Buffer.of(), { ...place, side: 'answer' })).toBe(
      'answered',
    );
    expect(first?.answer).toMatchObject({ bytes: 8, isTruncated: false });
    expect(second?.answer).toBeNull();
  });

  it('keeps the beginning of a payload that is too long, and marks it as cut', async () => {
    const { queue, stored, record } = createHarness();
    const piece = 'y'.repeat(KIB);
    record(
      'x'.repeat(KEPT_BODY_BYTES + 1),
      Array.from({ length: 300 }, () => piece),
    );
    record('x'.repeat(KEPT_BODY_BYTES), ['y'.repeat(KEPT_BODY_BYTES)]);
    await queue.close();
    const whole = { bytes: KEPT_BODY_BYTES, isTruncated: false };
    expect(stored).toMatchObject([
      {
        request: { bytes: KEPT_BODY_BYTES + 1, isTruncated: true },
        answer: { bytes: 300 * KIB, isTruncated: true },
      },
      { request: whole, answer: whole },
    ]);
    const place = { accountId: 'acct_1', requestId: 'req_1', side: 'answer' } as const;
    expect(await openBody(sealer, stored[0]?.answer?.sealed ?? Buffer.of(), place)).toHaveLength(
      KEPT_BODY_BYTES,
    );
  });

  it('drops and counts payloads while it is full, without delaying requests', async () => {
    const { queue, stored, state, record, never, logged } = createHarness({ maxWaiting: 3 });
    state.insert = never;
    const ms = threadTimeMs(() => {
      for (let n = 0; n < 1_000; n++) record();
    });
    expect(ms).toBeLessThan(500);
    expect(queue.lost).toBe(997);
    state.insert = () => Promise.resolve();
    await queue.close();
    expect(stored).toHaveLength(3);
    expect(logged).toEqual([{ requests: 997, message: expect.stringContaining('lost') as string }]);
  });

  it('limits the memory of payloads in flight and queued, and releases it', async () => {
    const { queue, stored, record } = createHarness({ maxBytes: 32 * KIB });
    const large = () => record('x'.repeat(10 * KIB), ['y'.repeat(10 * KIB)]);
    large();
    large();
    expect(queue.lost).toBe(1);
    // The dropped payload released its memory: there is room for a small one.
    record('x'.repeat(4 * KIB), []);
    expect(queue.lost).toBe(1);
    await expect.poll(() => stored.length).toBe(2);
    large();
    expect(queue.lost).toBe(1);
    await queue.close();
    expect(stored).toHaveLength(3);
  });

  it('retries while the database is unavailable, and gives up after the limit', async () => {
    const { queue, stored, state, record, logged } = createHarness({ retryMs: 10, giveUpMs: 60 });
    let tries = 0;
    state.insert = () => (++tries < 3 ? Promise.reject(new Error('away')) : Promise.resolve());
    record();
    await expect.poll(() => stored.length).toBe(1);
    state.insert = () => Promise.reject(new Error('away'));
    record();
    await expect.poll(() => queue.lost).toBe(1);
    expect(logged).toMatchObject([
      { requests: 1, message: expect.stringContaining('cannot be stored') as string },
    ]);
    await queue.close();
  });

  it('closes soon if the database is unavailable, and logs the dropped payloads', async () => {
    const { queue, state, record, logged } = createHarness({ retryMs: 10 });
    state.insert = () => Promise.reject(new Error('away'));
    for (let n = 0; n < 500; n++) record();
    await queue.close();
    record();
    expect(queue.lost).toBe(501);
    expect(logged.at(-1)).toMatchObject({ requests: 500 });
    expect(state.isClosed).toBe(true);
  });
});
