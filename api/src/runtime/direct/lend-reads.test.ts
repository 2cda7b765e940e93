import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lendReads } from './lend-reads.ts';

let server: Server;
let clients: Socket[];
let sockets: Socket[];
/** The memory that was lent. */
let lent: Buffer[];
/** Their text at that time. */
let texts: string[];
let endReads: (() => void)[];

beforeEach(async () => {
  [clients, sockets, lent, texts, endReads] = [[], [], [], [], []];
  server = createServer((socket) => {
    sockets.push(socket);
    endReads.push(
      lendReads(socket, (memory, length) => {
        lent.push(memory);
        texts.push(memory.toString('latin1', 0, length));
      }),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const socket of [...clients, ...sockets]) socket.destroy();
  server.close();
});

async function open(): Promise<{ client: Socket; socket: Socket; at: number }> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
  clients.push(client);
  const [socket] = await accepted;
  return { client, socket, at: sockets.indexOf(socket) };
}

it('reads all connections into the same memory, with this version of Node', async () => {
  const [first, second] = [await open(), await open()];
  first.client.write('first');
  await expect.poll(() => texts).toEqual(['first']);
  second.client.write('other');
  await expect.poll(() => texts).toEqual(['first', 'other']);
  expect(lent[0]?.toString('latin1', 0, 5)).toBe('other');
});

it('lends no memory that could be freed with a view of it', async () => {
  const { client } = await open();
  client.write(Buffer.alloc(1024 * 1024));
  await expect.poll(() => texts.some(({ length }) => length === 64 * 1024)).toBe(true);
  for (const memory of lent) expect(memory.buffer.byteLength).toBeGreaterThan(64 * 1024);
});

it('emits copies as data after the end', async () => {
  const { client, socket, at } = await open();
  client.write('lent');
  await expect.poll(() => texts).toEqual(['lent']);
  endReads[at]?.();
  const data: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => data.push(bytes));
  client.write('one');
  await expect.poll(() => data.map(String)).toEqual(['one']);
  client.write('two');
  await expect.poll(() => data.map(String)).toEqual(['one', 'two']);
  expect(texts).toEqual(['lent']);
});

it('reads nothing while the socket is paused, and keeps its end', async () => {
  const { client, socket } = await open();
  const ended = once(
    socket.on('data', () => undefined),
    'end',
  );
  socket.pause();
  client.end('late');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(texts).toEqual([]);
  socket.resume();
  await ended;
  expect(texts).toEqual(['late']);
});

it('leaves a connection alone that has no handle', () => {
  const stream = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() });
  lendReads(stream as Socket, (memory) => lent.push(memory))();
  const data: string[] = [];
  stream.on('data', (bytes) => data.push(String(bytes)));
  stream.push('x');
  expect(stream.readableFlowing).toBe(true);
  expect(lent).toEqual([]);
});
