import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { ResponsesSocket } from '../../src/websocket/responses-socket.ts';
import { NATIVE } from '../native-provider.ts';
import { startSocketHarness, TRANSLATED } from './socket-harness.ts';

const MIB = 1024 * 1024;
const harness = await startSocketHarness({
  bodyMemoryBytes: 64 * MIB,
  bodyPace: { graceMs: 5_000, minBytesPerSecond: 16 * 1024, checkEveryMs: 100 },
  tickMs: 50,
});
const { provider, api } = harness;
const { sockets, bodyBudget } = api.deps;
afterAll(() => harness[Symbol.asyncDispose]());
const raws: Socket[] = [];
beforeEach(startClean);

/** Closes the connections of the test before, which must leave nothing behind. */
async function startClean(): Promise<void> {
  provider.reset();
  for (const raw of raws.splice(0)) raw.destroy();
  await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0);
  await expect.poll(() => bodyBudget.usedBytes, { timeout: 5_000 }).toBe(0);
}

/** A client that writes the frames itself. */
async function openRaw(): Promise<Socket> {
  const { hostname, port } = new URL(api.baseUrl);
  const socket = connect(Number(port), hostname);
  raws.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    [
      'GET /v1/responses HTTP/1.1',
      'host: localhost',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
      `authorization: Bearer ${harness.secret}`,
      '\r\n',
    ].join('\r\n'),
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

/** `once` would reject if the connection is reset. */
const untilClosed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

/** A masked frame (https://www.rfc-editor.org/rfc/rfc6455#section-5.2), with a mask of zeros. */
function frame(payload: Buffer, { opcode = 1, isLast = true, bytes = payload.length } = {}): Buffer {
  const head = Buffer.alloc(14);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return Buffer.concat([head, payload]);
}

it('refuses a message over the limit in band, and closes for one far over it', async () => {
  await using socket = await harness.open();
  const input = 'x'.repeat(BODY_LIMITS.maxBytes);
  const refused = await socket.ask({ model: NATIVE, input });
  expect(refused).toMatchObject({ status: 413, error: { code: 'request_too_large' } });
  socket.create({ model: NATIVE, input: input.padEnd(BODY_LIMITS.maxBytes + 2 * MIB) });
  expect(await socket.closed).toMatchObject({ code: 1009 });
});

it('does not take compressed messages', async () => {
  await using socket = await harness.open();
  expect(socket.webSocket.extensions).toBe('');
  const raw = await openRaw();
  const closed = untilClosed(raw);
  // The bit of a compressed message.
  const compressed = frame(Buffer.alloc(100));
  compressed[0] = 0xc1;
  raw.resume().write(compressed);
  await closed;
});

it('reserves memory for a message while it arrives, and drops a message that finds none', async () => {
  const { accountBytes } = bodyBudget;
  for (let opened = 0; opened < 2; opened += 1) {
    const raw = await openRaw();
    raw.resume();
    raw.write(frame(Buffer.alloc(accountBytes / 2 - 2 * MIB), { bytes: 32 * MIB }));
  }
  const least = accountBytes - 4 * MIB;
  await expect.poll(() => bodyBudget.usedBytes, { timeout: 4_000 }).toBeGreaterThanOrEqual(least);
  await using socket = await harness.open();
  socket.create({ model: NATIVE, input: 'x'.repeat(6 * MIB) });
  expect(await socket.next(() => true)).toMatchObject({ status: 429, error: { code: 'rate_limit_bodies' } });
  expect(await socket.closed).toMatchObject({ code: 1013 });
});

it('ends a connection whose message arrives too slowly', async () => {
  const raw = await openRaw();
  let text = '';
  raw.on('data', (piece) => (text += String(piece)));
  raw.write(frame(Buffer.alloc(10), { bytes: 1_000 }));
  await untilClosed(raw);
  expect(text).toContain('request_timeout');
});

it('ends a connection with thousands of fragments or tiny pieces', async () => {
  const many = await openRaw();
  many.resume();
  const fragment = frame(Buffer.from('x'), { opcode: 0, isLast: false });
  many.write(frame(Buffer.from('"'), { isLast: false }));
  many.write(Buffer.concat(Array.from({ length: 20_000 }, () => fragment)));
  await untilClosed(many);
  expect(many.destroyed).toBe(true);
});

it('refuses more responses than may wait, and disconnects a client that only sends', async () => {
  await using socket = await harness.open();
  provider.always({ stallBeforeHeaders: true });
  for (let sent = 0; sent < sockets.limits.maxWaiting + 3; sent += 1)
    socket.create({ model: TRANSLATED, input: 'Hi.' });
  for (let refused = 0; refused < 2; refused += 1)
    expect(await socket.next(() => true)).toMatchObject({
      status: 429,
      error: { code: 'rate_limit_requests' },
    });
  const raw = await openRaw();
  const closed = untilClosed(raw);
  raw.pause();
  const message = frame(Buffer.from(`{"type":"response.create","stream_id":"${'a'.repeat(300)}"}`));
  const flood = Buffer.concat(Array.from({ length: 1_000 }, () => message));
  for (let written = 0; written < 60 && !raw.destroyed; written += 1) {
    raw.write(flood);
    await sleep(20);
  }
  raw.resume();
  await closed;
});

it('reads only some of thousands of messages that arrive at once', async () => {
  const sendError = vi.spyOn(ResponsesSocket.prototype, 'sendError');
  const raw = await openRaw();
  const closed = untilClosed(raw);
  const message = frame(Buffer.from('{}'));
  raw.resume().write(Buffer.concat(Array.from({ length: 4_000 }, () => message)));
  await closed;
  expect(sendError.mock.calls.length).toBeLessThanOrEqual(sockets.limits.maxRefused);
  sendError.mockRestore();
});

it('ends a connection that reports many responses it never had', async () => {
  await using socket = await harness.open();
  for (let sent = 0; sent <= sockets.limits.maxRefused; sent += 1)
    socket.webSocket.send('{"type":"response.processed"}');
  expect(await socket.closed).toMatchObject({ code: 1006 });
});

it.each([9, 10])('ends a connection with thousands of control frames of kind %i', async (opcode) => {
  const raw = await openRaw();
  const closed = untilClosed(raw);
  const control = Buffer.from([0x80 | opcode, 0x80, 0, 0, 0, 0]);
  const frames = Buffer.concat(Array.from({ length: sockets.limits.maxControlFrames + 1 }, () => control));
  raw.resume().write(frames);
  await closed;
  expect(raw.destroyed).toBe(true);
});

it('reads no more than its memory from connections that close', { timeout: 20_000 }, async () => {
  const opened: Socket[] = [];
  for (let count = 0; count < 6; count += 1) opened.push(await openRaw());
  // Created now: on a busy machine this takes as long as the closing connections stay open.
  const message = frame(Buffer.alloc(30 * MIB));
  sockets.drain();
  let sentBytes = 0;
  const writing = opened.map(async (raw) => {
    raw.resume();
    for (let at = 0; at < message.length; at += MIB) {
      const written = Promise.withResolvers<boolean>();
      raw.write(message.subarray(at, at + MIB), (error) => written.resolve(!error));
      if (!(await written.promise)) return;
      sentBytes += MIB;
    }
  });
  await sleep(3_000);
  expect(sentBytes).toBeGreaterThan(0);
  // The rest of the limit waits in the buffers of both sides.
  expect(sentBytes).toBeLessThan(bodyBudget.accountBytes + opened.length * 16 * MIB);
  for (const raw of opened) raw.destroy();
  await Promise.all(writing);
});

it('waits for a client that reads slowly, and loses nothing', async () => {
  await using socket = await harness.open();
  provider.always({ answer: { words: 20_000 }, split: 'burst' });
  socket.create({ model: TRANSLATED, input: 'Write.', max_output_tokens: 30_000 });
  await socket.next(({ type }) => type === 'response.output_text.delta');
  socket.webSocket.pause();
  await sleep(500);
  socket.webSocket.resume();
  await socket.next(({ type }) => type === 'response.completed');
  const words = socket.events.map(({ delta = '' }) => delta).join('');
  expect(words).toMatch(/word20000$/);
});

it('stops reading from the provider while the client reads nothing', { timeout: 60_000 }, async () => {
  await using socket = await harness.open();
  provider.always({ answer: { words: 200_000 } });
  socket.create({ model: TRANSLATED, input: 'Write.', max_output_tokens: 300_000 });
  await socket.next(({ type }) => type === 'response.output_text.delta');
  socket.webSocket.pause();
  const request = provider.requests.at(-1);
  let sentBytes = -1;
  await expect
    .poll(
      () => {
        const isStill = request?.bytesSent === sentBytes;
        sentBytes = request?.bytesSent ?? 0;
        return isStill;
      },
      { timeout: 40_000, interval: 2_000 },
    )
    .toBe(true);
  expect(request?.outcome).toBe('pending');
});

it('keeps a thousand idle connections, and ends them', async () => {
  const before = process.memoryUsage().rss;
  const opened = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { secret } = await harness.createKey();
      return Promise.all(Array.from({ length: 250 }, () => harness.open(secret)));
    }),
  );
  const all = opened.flat();
  expect(sockets.size).toBe(1_000);
  const grownBytes = process.memoryUsage().rss - before;
  process.stdout.write(`1,000 idle WebSockets: ${(grownBytes / MIB).toFixed(0)} MiB, with their clients\n`);
  expect(bodyBudget.usedBytes).toBe(0);
  for (const { webSocket } of all) webSocket.terminate();
  await Promise.all(all.map(({ closed }) => closed));
});
