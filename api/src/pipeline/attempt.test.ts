import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { UNLIMITED_PLACE } from '@tollgate/upstreams/routing/provider-concurrency';
import { createHttp1Transport } from '@tollgate/upstreams/transport/http1/http1-transport';
import { startRawServer } from '@tollgate/upstreams/transport/http1/raw-server.fixture';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { AttemptContext } from './attempt-context.ts';
import { Attempt } from './attempt.ts';

const MIB = 1024 * 1024;

it('keeps no more of a response before its gate opens if the caller disconnects meanwhile', async () => {
  await using server = await startRawServer(({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${64 * MIB}\r\n\r\n`);
    socket.write(Buffer.alloc(64 * MIB));
  });
  const transport = createHttp1Transport();
  const waits = Promise.withResolvers<void>();
  const fail = () => expect.unreachable();
  const nothing = () => undefined;
  // Until the gate opens, an attempt uses only these parts of its context.
  const context = {
    isGated: true,
    transport,
    place: UNLIMITED_PLACE,
    log: pino({ enabled: false }),
    forwarded: {
      reasoning: null,
      upstream: { origin: server.origin, path: '/', headers: [], body: Buffer.from('{}') },
    },
    relay: { settlement: { noteSent: nothing, noteConnected: nothing } },
  } as unknown as AttemptContext;
  const ends = { passOver: fail, failed: fail, answered: fail, drained: fail };
  const owner = { waitsAtGate: waits.resolve, getOtherWaitMs: fail, ...ends };
  const attempt = new Attempt(context, owner);
  attempt.start();
  await waits.promise;
  attempt.startDrain(nothing);
  await sleep(1_000);
  const [socket] = server.sockets;
  // The server cannot write the rest.
  expect(socket?.writableLength).toBeGreaterThan(0);
  attempt.abort();
  await transport.close();
});
