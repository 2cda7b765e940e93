import { Buffer } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { BodyBudget } from './body-budget.ts';
import { BodyCollector } from './body-collector.ts';
import { DEFAULT_BODY_PACE } from './read-limits.ts';
import { ReadTurns } from './read-turns.ts';
import { BodyReceiver } from './receive-body.ts';

const PIECE = 64 * 1024;

function createCollector(declaredBytes: number | null) {
  const limits = {
    maxBytes: 16 * PIECE,
    reservation: new BodyBudget(64 * 1024 * 1024).open('account'),
    pace: DEFAULT_BODY_PACE,
    turns: new ReadTurns(),
    owner: 'account',
  };
  return { limits, collector: new BodyCollector(declaredBytes, limits) };
}

function receive(declaredBytes: number | null) {
  const source = { pause: () => undefined, resume: () => undefined };
  const { limits, collector } = createCollector(declaredBytes);
  return new BodyReceiver(source, collector, { limits, isWatched: false });
}

const createPiece = (byte: number) => Buffer.from(new Uint8Array(PIECE).fill(byte).buffer);

it.each([3 * PIECE, null])(
  'frees the pieces of a body of %s bytes when they are copied',
  async (declared) => {
    const receiver = receive(declared);
    const pieces = [1, 2, 3].map(createPiece);
    for (const piece of pieces) receiver.add(piece);
    receiver.end();
    const read = await receiver.result;
    expect(read.ok && read.value.equals(Buffer.concat([1, 2, 3].map(createPiece)))).toBe(true);
    // Of a body of unknown length, the first piece may be all of it.
    expect(pieces.map(({ length }) => length)).toEqual([declared === null ? PIECE : 0, 0, 0]);
  },
);

it('keeps the memory of a body that arrives in one piece', async () => {
  const receiver = receive(PIECE);
  const piece = createPiece(1);
  receiver.add(piece);
  receiver.end();
  const read = await receiver.result;
  expect(read.ok && read.value === piece && read.value.length === PIECE).toBe(true);
});

it('frees no piece that shares its memory', async () => {
  const receiver = receive(2 * PIECE);
  const both = Buffer.from(new Uint8Array(2 * PIECE).fill(1).buffer);
  receiver.add(both.subarray(0, PIECE));
  receiver.add(both.subarray(PIECE));
  receiver.end();
  const read = await receiver.result;
  expect(read.ok && read.value.equals(both) && both.length === 2 * PIECE).toBe(true);
});

it('pauses its source until its next turn, but not after the last bytes of the body', async () => {
  const { limits, collector } = createCollector(5 * PIECE);
  const events: string[] = [];
  const source = { pause: () => void events.push('pause'), resume: () => void events.push('resume') };
  const receiver = new BodyReceiver(source, collector, { limits, isWatched: true });
  const addPieces = (count: number) => {
    for (let left = count; left > 0; left -= 1) receiver.addLent(createPiece(1));
  };
  addPieces(4);
  await nextTurn();
  expect(events).toEqual(['pause', 'resume']);
  limits.turns.spend('account', 4 * PIECE);
  addPieces(1);
  receiver.end();
  await nextTurn();
  expect(events).toEqual(['pause', 'resume']);
});

it('continues at its turn while others wait', async () => {
  const { limits, collector } = createCollector(5 * PIECE);
  let pauses = 0;
  const source = { pause: () => void (pauses += 1), resume: () => undefined };
  const receiver = new BodyReceiver(source, collector, { limits, isWatched: true });
  const other = () => limits.turns.wait('another account', () => undefined);
  other();
  receiver.addLent(createPiece(1));
  expect(pauses).toBe(1);
  await nextTurn();
  other();
  receiver.addLent(createPiece(1));
  receiver.addLent(createPiece(1));
  expect(pauses).toBe(1);
  receiver.addLent(createPiece(1));
  receiver.addLent(createPiece(1));
  receiver.end();
  expect((await receiver.result).ok).toBe(true);
});

it('waits for one turn, however many pieces come before it', async () => {
  const { limits, collector } = createCollector(5 * PIECE);
  let resumed = 0;
  const source = { pause: () => undefined, resume: () => void (resumed += 1) };
  const receiver = new BodyReceiver(source, collector, { limits, isWatched: true });
  limits.turns.wait('another account', () => undefined);
  // A connection has kept them while its key was checked.
  for (let left = 4; left > 0; left -= 1) receiver.add(createPiece(1));
  await nextTurn();
  await nextTurn();
  expect(resumed).toBe(1);
});

it('receives nothing of a refused body, and does not resume its source', async () => {
  const { limits, collector } = createCollector(null);
  const events: string[] = [];
  const source = { pause: () => void events.push('pause'), resume: () => void events.push('resume') };
  const receiver = new BodyReceiver(source, collector, { limits, isWatched: true });
  // Of pieces without a turn, the first one waits for it.
  limits.turns.wait('another account', () => undefined);
  for (let left = 17; left > 0; left -= 1) receiver.add(createPiece(1));
  expect(await receiver.result).toMatchObject({ ok: false, error: { code: 'request_too_large' } });
  expect(events.at(-1)).toBe('pause');
  const { receivedBytes } = collector;
  receiver.add(createPiece(1));
  receiver.addLent(createPiece(1));
  await nextTurn();
  await nextTurn();
  expect(collector.receivedBytes).toBe(receivedBytes);
  expect(events).not.toContain('resume');
});

it('keeps nothing of what comes after an interruption', async () => {
  const { limits, collector } = createCollector(null);
  const receiver = new BodyReceiver({ pause: () => undefined, resume: () => undefined }, collector, {
    limits,
    isWatched: false,
  });
  receiver.interrupt();
  receiver.add(createPiece(1));
  receiver.addLent(createPiece(1));
  expect((await receiver.result).ok).toBe(false);
  expect(collector.receivedBytes).toBe(0);
});

it('pauses the source of a body that is too large', () => {
  const { limits, collector } = createCollector(null);
  let pauses = 0;
  const source = { pause: () => void (pauses += 1), resume: () => undefined };
  const receiver = new BodyReceiver(source, collector, { limits, isWatched: false });
  receiver.add(Buffer.alloc(limits.maxBytes + 1));
  expect(pauses).toBe(1);
});

it.each<[string, (receiver: BodyReceiver) => void]>([
  ['is complete', (receiver) => receiver.end()],
  ['is interrupted', (receiver) => receiver.interrupt()],
])('does not watch the pace of a body any longer when it %s', (_, finish) => {
  vi.useFakeTimers();
  try {
    const { limits, collector } = createCollector(PIECE);
    const source = { pause: () => undefined, resume: () => undefined };
    const receiver = new BodyReceiver(source, collector, { limits, isWatched: true });
    expect(vi.getTimerCount()).toBe(1);
    finish(receiver);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
