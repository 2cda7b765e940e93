import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { BodyBudget } from '../request-body/body-budget.ts';
import { DEFAULT_BODY_PACE } from '../request-body/read-limits.ts';
import { ReceivedBytes } from './received-bytes.ts';

const MIB = 1024 * 1024;

/** A frame of a client, with a mask of zeros. @param payloadBytes at most 125 */
const frame = (payloadBytes: number, opcode = 0x81) =>
  Buffer.concat([Buffer.from([opcode, 0x80 | payloadBytes, 0, 0, 0, 0]), Buffer.alloc(payloadBytes)]);

function open() {
  const budget = new BodyBudget(64 * MIB);
  const received = new ReceivedBytes(budget.open('a'));
  /** A piece that completes messages of these sizes. */
  const read = (piece: Buffer, messages: readonly number[], nowMs = 0) => {
    expect(received.add(piece, nowMs)).toBeNull();
    const reserved = budget.usedBytes;
    for (const bytes of messages) received.keep(bytes);
    received.settle(piece);
    return reserved;
  };
  return { budget, received, read };
}

it('reserves a message as it arrives and while it waits, and nothing in between', () => {
  const { budget, received, read } = open();
  const whole = frame(100);
  expect(read(whole.subarray(0, 40), [])).toBeGreaterThanOrEqual(40);
  expect(budget.usedBytes).toBeGreaterThanOrEqual(40);
  read(whole.subarray(40), [100]);
  expect(budget.usedBytes).toBe(100);
  read(Buffer.concat([frame(10), frame(20), frame(3, 0x89)]), [10, 20]);
  expect(budget.usedBytes).toBe(130);
  for (const bytes of [100, 10, 20]) received.release(bytes);
  expect(budget.usedBytes).toBe(0);
  // The start of the next message.
  read(Buffer.concat([frame(10), whole.subarray(0, 5)]), [10]);
  expect(budget.usedBytes).toBeGreaterThanOrEqual(15);
  received.close();
  expect(budget.usedBytes).toBe(0);
});

it('counts tiny pieces as the objects that they are', () => {
  const { budget, read } = open();
  for (const byte of frame(100).subarray(0, 50)) read(Buffer.from([byte]), []);
  expect(budget.usedBytes).toBeGreaterThan(50 * 200);
});

it('reports a message that arrives too slowly, and no idle connection', () => {
  const { received, read } = open();
  const { graceMs } = DEFAULT_BODY_PACE;
  read(frame(10), [10], 0);
  expect(received.isTooSlow(DEFAULT_BODY_PACE, 10 * graceMs)).toBe(false);
  read(frame(100).subarray(0, 20), [], 10 * graceMs);
  expect(received.isTooSlow(DEFAULT_BODY_PACE, 11 * graceMs)).toBe(false);
  expect(received.isTooSlow(DEFAULT_BODY_PACE, 11 * graceMs + 1)).toBe(true);
});

it('reports the limit that a message exhausts', () => {
  const { budget, received } = open();
  expect(received.add(Buffer.alloc(budget.accountBytes), 0)).toBe('account');
});
