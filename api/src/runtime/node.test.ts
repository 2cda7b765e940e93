import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../testing/call-api.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../../test/gateway-fixture.ts';

let harness: Harness;
let api: TestApi;
beforeAll(async () => {
  harness = await createHarness();
  api = await startTestApi({ db: harness.database.db, runtime: 'node' });
});
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

/** Sends bytes unchanged and collects the response until the server closes. */
async function sendRaw(text: string): Promise<string> {
  const { port } = new URL(api.baseUrl);
  const socket: Socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

describe('the limits of a connection', () => {
  it('answers 431 to headers over 16 KiB', async () => {
    const answer = await sendRaw(
      `GET /v1/models HTTP/1.1\r\nhost: x\r\nx-large: ${'a'.repeat(17_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('request_too_large');
  });

  it('answers 400 to invalid HTTP', async () => {
    expect(await sendRaw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each(['/healthz', '/readyz'])('answers HTTP/1.0 without a host at %s', async (path) => {
    const answer = await sendRaw(`GET ${path} HTTP/1.0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"status":"');
  });

  it('refuses a body with a declared length over 32 MiB before it is sent, and closes', async () => {
    const answer = await sendRaw(
      `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${harness.secret}\r\n` +
        'content-type: application/json\r\ncontent-length: 33554433\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('connection: close');
  });

  it('drops a connection with many requests that wait for the ones before them', async () => {
    const request = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
    const close = request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');
    const few = await sendRaw(request.repeat(16) + close);
    expect(few.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(17);
    const many = await sendRaw(request.repeat(500) + close);
    expect(many.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0).toBeLessThanOrEqual(17);
  });

  it('stops reading from the provider when the caller stops reading', async () => {
    // Large pieces, so that the buffers on the way are full after a few of them.
    harness.provider.next({ answer: { words: 400_000 }, split: 65_536 });
    const { port } = new URL(api.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    const body = JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'x' }] });
    socket.pause();
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${harness.secret}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const hasBegun = () => (harness.provider.requests.at(-1)?.bytesSent ?? 0) > 0;
    await expect.poll(hasBegun).toBe(true);
    let before = -1;
    await expect
      .poll(
        async () => {
          before = harness.provider.requests.at(-1)?.bytesSent ?? 0;
          await setTimeout(200);
          return harness.provider.requests.at(-1)?.bytesSent === before;
        },
        { timeout: 30_000 },
      )
      .toBe(true);
    expect(harness.provider.requests.at(-1)?.outcome).toBe('pending');
    socket.destroy();
    await expect.poll(() => harness.provider.requests.at(-1)?.outcome).toBe('aborted');
  });
});

describe('drain', () => {
  const stream = (baseUrl: string) =>
    post(
      `${baseUrl}/messages`,
      { model: MODEL, max_tokens: 500, stream: true, messages: [{ role: 'user', content: 'x' }] },
      { secret: harness.secret },
    );

  it('lets a stream in flight finish and refuses new requests', async () => {
    const draining = await startTestApi({ db: harness.database.db, runtime: 'node' });
    harness.provider.next({ answer: { words: 40 }, intervalMs: 20 });
    const response = await stream(draining.baseUrl);
    const closed = draining.close();
    expect((await stream(draining.baseUrl)).status).toBe(503);
    expect(await response.text()).toContain('event: message_stop');
    await closed;
  });

  it('ends a stream that outlasts the limit with an error event, never with a clean end', async () => {
    const draining = await startTestApi({ db: harness.database.db, runtime: 'node' });
    harness.provider.next({ answer: { words: 2_000 }, intervalMs: 20 });
    const response = await stream(draining.baseUrl);
    const [text] = await Promise.all([response.text(), draining.close()]);
    expect(text).toContain('event: error');
    expect(text).not.toContain('event: message_stop');
  });
});

describe('a streamed response', () => {
  const request = (version: string, connection: string) => {
    const body = JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'é' }] });
    return (
      `POST /v1/chat/completions HTTP/${version}\r\nhost: x\r\nauthorization: Bearer ${harness.secret}\r\n` +
      `connection: ${connection}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  };

  it('is sent in terminated chunks, so that the connection can be reused', async () => {
    const answer = await sendRaw(request('1.1', 'keep-alive') + request('1.1', 'close'));
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(answer.match(/\r\n0\r\n\r\n/g)).toHaveLength(2);
    const [, body = ''] = answer.split('\r\n\r\n', 2);
    const [size = '', data = ''] = body.split('\r\n', 2);
    expect(data.length).toBe(Number.parseInt(size, 16));
  });

  it('is sent without chunks to HTTP/1.0, which does not support them', async () => {
    const answer = await sendRaw(request('1.0', 'close'));
    expect(answer.toLowerCase()).not.toContain('transfer-encoding');
    expect(answer).toMatch(/\r\n\r\ndata: \{/);
    expect(answer.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});
