import { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import * as ws from 'ws';
import { expect, it } from 'vitest';
import { FrameMeter } from './frame-meter.ts';

/** Its types leave it out. */
interface Sender {
  send(data: Buffer, options: object, done: () => void): void;
  ping(data: Buffer, isMasked: boolean, done: () => void): void;
}
const { Sender: SenderClass } = ws as unknown as {
  Sender: new (socket: object, extensions: object) => Sender;
};

/** The bytes that the `ws` client sends. */
function encode(write: (sender: Sender) => void): Buffer {
  const pieces: Buffer[] = [];
  const socket = Object.assign(new EventEmitter(), {
    cork: () => undefined,
    uncork: () => undefined,
    write: (piece: Buffer) => pieces.push(Buffer.from(piece)),
  });
  write(new SenderClass(socket, {}));
  return Buffer.concat(pieces);
}

const send = (sender: Sender, bytes: number, isLast = true) =>
  sender.send(
    Buffer.alloc(bytes, 'x'),
    { binary: false, fin: isLast, mask: true, compress: false },
    () => undefined,
  );
const ping = (sender: Sender) => sender.ping(Buffer.from('hi'), true, () => undefined);

const CASES: readonly [string, number, (sender: Sender) => void][] = [
  [
    'messages of every form of length',
    4,
    (sender) => [0, 5, 300, 70_000].forEach((bytes) => send(sender, bytes)),
  ],
  [
    'fragments with a ping in between',
    2,
    (sender) => {
      send(sender, 200, false);
      ping(sender);
      send(sender, 0, false);
      send(sender, 10);
      send(sender, 1);
    },
  ],
  ['pings alone', 0, ping],
];

it.each(CASES)('finds the ends of %s, however they are cut', (_, count, write) => {
  const bytes = encode(write);
  for (const size of [1, 2, 3, 7, 64, 1_000, bytes.length]) {
    const meter = new FrameMeter();
    let ends = 0;
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      if (meter.push(piece)) ends += 1;
    }
    expect(meter.isBetween).toBe(true);
    if (size === 1) expect(ends).toBe(count);
    meter.push(bytes.subarray(0, 1));
    expect(meter.isBetween).toBe(false);
  }
});
