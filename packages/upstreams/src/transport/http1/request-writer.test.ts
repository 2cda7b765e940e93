import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { RequestWriter } from './request-writer.ts';

const HEAD = 'POST / HTTP/1.1\r\n\r\n';

/** A socket that keeps the bytes of each system call. */
function createSocket() {
  const calls: Buffer[] = [];
  const socket = new Writable({
    highWaterMark: 64 * 1024,
    decodeStrings: true,
    writev(chunks, done) {
      calls.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)));
      done();
    },
    write(chunk: Buffer, _encoding, done) {
      calls.push(chunk);
      done();
    },
  });
  return { calls, socket: socket as unknown as Socket };
}

it.each([
  ['a small body', Buffer.from('{"a":1}')],
  ['a body of 20 kB', Buffer.alloc(20_000, 97)],
  ['a body of 200 kB in pieces', { pieces: [Buffer.from('{"a":1,'), Buffer.alloc(200_000, 97)] }],
])('sends %s and its head in one system call', (_name, body) => {
  const { calls, socket } = createSocket();
  const writer = new RequestWriter(socket, HEAD, body);
  writer.start();
  const bytes = Buffer.isBuffer(body) ? body : Buffer.concat(body.pieces);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.equals(Buffer.concat([Buffer.from(HEAD), bytes]))).toBe(true);
});

it('passes no more of a large body on than the socket has room for', () => {
  const { calls, socket } = createSocket();
  new RequestWriter(socket, HEAD, Buffer.alloc(2_000_000)).start();
  expect(calls.map(({ length }) => length)).toEqual([HEAD.length + 256 * 1024]);
});
