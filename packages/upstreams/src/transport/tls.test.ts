import { Buffer } from 'node:buffer';
import { constants } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { NODE_TRANSPORTS } from './transports.fixture.ts';
import { ask, startRawServer } from './http1/raw-server.fixture.ts';
import { createSelfSigned } from './http1/self-signed.fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
describe.each(NODE_TRANSPORTS)('TLS of the %s transport', (_name, create) => {
  const tls = createSelfSigned('localhost');
  const transport = create({ ca: tls.cert });
  afterAll(() => transport.close());

  it('sends HTTP/1.1 over TLS to a trusted server and keeps the connection', async () => {
    const protocols: unknown[] = [];
    await using server = await startRawServer(
      ({ socket }) => {
        if (socket instanceof TLSSocket) protocols.push(socket.alpnProtocol, socket.servername);
        socket.write(OK);
      },
      { tls },
    );
    expect(await ask(transport, server)).toMatchObject({ status: 200, body: 'ok' });
    expect(await ask(transport, server)).toMatchObject({ status: 200, body: 'ok' });
    expect(server.opened).toBe(1);
    expect(protocols).toEqual(['http/1.1', 'localhost', 'http/1.1', 'localhost']);
  });

  it('fails once if a new TLS connection receives bytes before the request is written', async () => {
    let requests = 0;
    await using server = await startRawServer(() => (requests += 1), {
      // The bytes arrive with the end of the handshake.
      tls: { ...tls, maxVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET },
      onConnection: (socket) => socket.write(OK),
    });
    expect(await ask(transport, server)).toMatchObject({ failure: 'protocol' });
    await sleep(50);
    expect([server.opened, requests]).toEqual([1, 0]);
  });

  it('sends nothing to a server with an untrusted certificate', async () => {
    let requests = 0;
    await using server = await startRawServer(() => (requests += 1), { tls });
    const distrustful = create();
    const outcome = await ask(distrustful, { ...server, headers: ['authorization', 'Bearer secret'] });
    expect(outcome).toMatchObject({ failure: 'tls' });
    await sleep(50);
    expect(requests).toBe(0);
    await distrustful.close();
  });

  it('sends nothing to a server whose certificate is for another name', async () => {
    const other = createSelfSigned('provider.example');
    let requests = 0;
    await using server = await startRawServer(() => (requests += 1), { tls: other });
    const trusting = create({ ca: other.cert });
    const outcome = await ask(trusting, server);
    expect(outcome).toMatchObject({ failure: 'tls', detail: expect.stringContaining('ALTNAME') as string });
    expect(requests).toBe(0);
    await trusting.close();
  });

  it('resumes the TLS session of an earlier connection', async () => {
    const reused: boolean[] = [];
    await using server = await startRawServer(
      ({ socket }) => {
        if (socket instanceof TLSSocket) reused.push(socket.isSessionReused());
        socket.end(OK.replace('OK\r\n', 'OK\r\nconnection: close\r\n'));
      },
      { tls },
    );
    await ask(transport, server);
    await ask(transport, server);
    expect(reused).toEqual([false, true]);
  });

  it('transfers large bodies both ways over TLS, and slows the server while the reader pauses', async () => {
    const body = Buffer.alloc(20 * 1024 * 1024, 'abcdefghijklmnopqrstuvwxyz');
    await using server = await startRawServer(
      ({ socket, body: got }) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${got.length}\r\n\r\n`);
        socket.write(got);
      },
      { tls },
    );
    let chunks = 0;
    let whilePaused = 0;
    const outcome = await ask(transport, { ...server, body }, (call) => {
      chunks += 1;
      if (chunks !== 5) return;
      call.pause();
      setTimeout(() => {
        whilePaused = chunks - 5;
        call.resume();
      }, 100);
    });
    expect(outcome).toEqual(expect.objectContaining({ body: body.toString('latin1') }));
    // Bytes that are already decrypted still arrive.
    expect(whilePaused).toBeLessThan(10);
  });
});
