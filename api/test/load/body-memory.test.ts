/** Request bodies that are announced, withheld or too large: their reservations, and how their connections end. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

const MIB = 1024 * 1024;
const PACE = { graceMs: 1_500, minBytesPerSecond: 16 * 1024, checkEveryMs: 100 };
const messages = [{ role: 'user', content: 'Hello' }];

let harness: Harness;
let api: TestApi;
beforeAll(async () => {
  harness = await createHarness();
  api = await startTestApi({
    db: harness.database.db,
    runtime: 'node',
    bodyMemoryBytes: 64 * MIB,
    bodyPace: PACE,
  });
});
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  while (api.deps.bodyBudget.usedBytes > 0) await sleep(10);
});

interface Call {
  socket: Socket;
  received: () => string;
  closed: Promise<unknown>;
}

/** Announces a body and sends its beginning. */
function announce(
  secret: string,
  length: number | 'chunked',
  head = '',
  path = '/v1/chat/completions',
): Call {
  const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
  open.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const size = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\n` +
      `content-type: application/json\r\n${head}${size}\r\n\r\n`,
  );
  return { socket, received: () => received, closed };
}

async function createOther(): Promise<string> {
  const { accountId } = await createAccountFixture(harness.database.db);
  return (await createKeyFixture(harness.database.db, accountId)).secret;
}

describe('the memory of bodies that are withheld', () => {
  it('is reserved before they are read: an account at its limit gets 429, and others are served', async () => {
    const first = announce(harness.secret, 32 * MIB);
    await expect.poll(() => api.deps.bodyBudget.usedBytes).toBe(32 * MIB);
    const second = announce(harness.secret, 32 * MIB);
    await second.closed;
    expect(second.received()).toMatch(/^HTTP\/1\.1 429 .*retry-after: 1\r\n/s);
    expect(second.received()).toContain('rate_limit_bodies');
    const other = await createOther();
    const refused = announce(other, 32 * MIB);
    await refused.closed;
    expect(refused.received()).toMatch(/^HTTP\/1\.1 503 .*retry-after: 2\r\n/s);
    expect(refused.received()).toContain('gateway_overloaded');
    const small = await post(
      `${api.baseUrl}/chat/completions`,
      { model: MODEL, messages },
      { secret: other },
    );
    expect(small.status).toBe(200);
    expect(first.received()).toBe('');
  });

  it('is released when they stall: they are answered with 408 and closed', async () => {
    const { socket, received, closed } = announce(harness.secret, 8 * MIB);
    socket.write('{');
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(api.deps.bodyBudget.usedBytes).toBe(0);
  });

  it('is released when single bytes keep them alive', async () => {
    const { socket, received, closed } = announce(harness.secret, 8 * MIB);
    const timer = setInterval(() => socket.write(' '), 50);
    await closed;
    clearInterval(timer);
    expect(received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is released when the caller disconnects', async () => {
    const { socket } = announce(harness.secret, 8 * MIB);
    await expect.poll(() => api.deps.bodyBudget.usedBytes).toBe(8 * MIB);
    socket.destroy();
    await expect.poll(() => api.deps.bodyBudget.usedBytes).toBe(0);
  });

  it('grows with a body of unknown length, up to the body limit', async () => {
    const { socket, received, closed } = announce(harness.secret, 'chunked');
    const piece = Buffer.alloc(MIB, 0x20);
    let sent = 0;
    const send = () => {
      while (!socket.destroyed && sent < 40) {
        sent += 1;
        socket.write(`${piece.length.toString(16)}\r\n`);
        socket.write(piece);
        if (!socket.write('\r\n')) return void socket.once('drain', send);
      }
    };
    send();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('an unwanted body', () => {
  it.each([
    ['of an unknown key', () => `sk-${'x'.repeat(40)}`, 401],
    ['of another media type', () => harness.secret, 415],
  ])('%s is not received', async (_name, getSecret, status) => {
    const head = status === 415 ? 'content-encoding: gzip\r\n' : '';
    const { socket, received, closed } = announce(getSecret(), 32 * MIB, head);
    const before = socket.bytesWritten;
    await closed;
    expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*connection: close`, 's'));
    expect(socket.bytesWritten).toBe(before);
  });

  it('is not received if it is sent before the response, either', async () => {
    const { socket, received, closed } = announce(`sk-${'x'.repeat(40)}`, 32 * MIB);
    // The client continues to send after the server has ended its side.
    socket.allowHalfOpen = true;
    const piece = Buffer.alloc(MIB / 4, 0x20);
    let sentBytes = 0;
    const send = () => {
      if (socket.destroyed || sentBytes >= 31 * MIB) return;
      socket.write(piece, (error) => {
        if (error !== null && error !== undefined) return;
        sentBytes += piece.length;
        send();
      });
    };
    send();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 401 /);
    // The kernel buffers on both sides, and Node's read-ahead.
    expect(sentBytes).toBeLessThan(12 * MIB);
  });

  it('is not requested with 100 Continue', async () => {
    const refused = announce('sk-none', 32 * MIB, 'expect: 100-continue\r\n');
    await refused.closed;
    expect(refused.received()).toMatch(/^HTTP\/1\.1 401 /);
    const body = JSON.stringify({ model: MODEL, messages });
    const wanted = announce(harness.secret, body.length, 'expect: 100-continue\r\n');
    await expect.poll(() => wanted.received()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    wanted.socket.write(body);
    await expect.poll(() => wanted.received()).toContain('HTTP/1.1 200 OK');
  });

  it('does not prevent a caller that still sends it from reading the response', async () => {
    const answer = await post(`${api.baseUrl}/chat/completions`, 'x'.repeat(16 * MIB), {
      secret: harness.secret,
      headers: { 'content-encoding': 'gzip' },
    });
    expect(answer.status).toBe(415);
    expect(await answer.text()).toContain('unsupported_media_type');
  });
});
