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
const PIECES = 64;

it('keeps no more of a response before its gate opens if the caller disconnects meanwhile', async () => {
  let sent = 0;
  await using server = await startRawServer(({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${PIECES * MIB}\r\n\r\n`);
    const send = () => {
      while (sent < PIECES) {
        sent += 1;
        if (!socket.write(Buffer.alloc(MIB))) return;
      }
    };
    socket.on('drain', send);
    send();
  });
  const transport = createHttp1Transport();
  const waits = Promise.withResolvers<void>();
  const fail = () => expect.unreachable();
  const nothing = () => undefined;
  // Until the gate opens, an attempt uses only these parts of its context.
  const context = {
    isGated: true,
    continued: null,
    transport,
    place: UNLIMITED_PLACE,
    log: pino({ enabled: false }),
    forwarded: {
      reasoning: null,
      upstream: { origin: server.origin, path: '/', headers: [], body: Buffer.from('{}') },
    },
    relay: { settlement: { noteSent: nothing, noteConnected: nothing } },
  } as unknown as AttemptContext;
  const ends = { noteLimits: fail, passOver: fail, failed: fail, answered: fail, drained: fail };
  const owner = { waitsAtGate: waits.resolve, getOtherWaitMs: fail, ...ends };
  const attempt = new Attempt(context, owner);
  attempt.start();
  await waits.promise;
  attempt.startDrain(nothing);
  for (let before = -1; before !== sent; await sleep(700)) before = sent;
  // The server cannot write the rest.
  expect(sent).toBeLessThan(PIECES);
  attempt.abort();
  await transport.close();
});
