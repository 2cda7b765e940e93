import { Buffer } from 'node:buffer';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSelfSigned } from '../http1/self-signed.fixture.ts';
import { createUndiciTransport } from './undici-transport.ts';

/** Aborts 20 calls of one connection, and prints how many streams the server has left, and the codes of the others. */
const CALLS = 20;
const WAIT_MS = 30_000;
const [, , moment, bodyBytes = '', reading] = process.argv;

const open = new Set<ServerHttp2Stream>();
const codes: number[] = [];
const aborts: (() => void)[] = [];
const tls = createSelfSigned('localhost');
const server = createSecureServer(tls);
server.on('session', (session) => session.on('error', () => undefined));
server.on('stream', (stream) => {
  open.add(stream);
  stream.on('error', () => undefined);
  stream.on('close', () => {
    open.delete(stream);
    codes.push(stream.rstCode ?? -1);
  });
  if (reading === 'reads') stream.resume();
  if (moment === 'before the response') {
    if (open.size === CALLS) for (const abort of aborts) abort();
    return;
  }
  stream.respond({ ':status': 200 });
  const timer = setInterval(() => {
    if (stream.destroyed) clearInterval(timer);
    else stream.write('data: x\n\n');
  }, 5);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `https://localhost:${(server.address() as AddressInfo).port}`;

const transport = createUndiciTransport({ ca: tls.cert, http2: true });
const body = Buffer.alloc(Number(bodyBytes), 'a');
for (let index = 0; index < CALLS; index++) {
  const call = transport.send(
    { origin, path: '/', headers: [], body },
    {
      onStart: () => {
        if (moment === 'at the start') call.abort();
      },
      onData: () => {
        if (moment === 'inside the response') call.abort();
        if (moment === 'after the start') setTimeout(() => call.abort(), index);
      },
      onEnd: () => undefined,
      onError: () => undefined,
    },
  );
  aborts.push(() => call.abort());
}
for (let waitedMs = 0; waitedMs < WAIT_MS && codes.length < CALLS; waitedMs += 50) await sleep(50);
process.stdout.write(JSON.stringify({ open: open.size, codes: [...new Set(codes)] }), () => process.exit(0));
