import { Buffer } from 'node:buffer';
import { afterAll, expect, it } from 'vitest';
import { createHttp1Transport } from './http1-transport.ts';
import { startRawServer } from './raw-server.fixture.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

const transport = createHttp1Transport();
afterAll(() => transport.close());

/** The chunks of a response, and what they contained when they came. */
async function receive(takesLent: boolean) {
  await using server = await startRawServer(({ socket, index }) => {
    socket.write(`${HEAD}3\r\none\r\n`);
    setTimeout(() => socket.write(`5\r\nthree\r\n0\r\n\r\n${index}`), 20);
  });
  const chunks: Buffer[] = [];
  const seen: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const request = { origin: server.origin, path: '/', headers: [], body: Buffer.from('{}') };
    transport.send(request, {
      takesLent,
      onStart: () => undefined,
      onData(chunk) {
        chunks.push(chunk);
        seen.push(chunk.toString());
      },
      onEnd: resolve,
      onError: ({ detail }) => reject(new Error(detail)),
    });
  });
  return { chunks, seen };
}

it('copies chunks for a listener that may keep them', async () => {
  const { chunks, seen } = await receive(false);
  expect(seen).toEqual(['one', 'three']);
  expect(chunks.map(String)).toEqual(seen);
});

it('gives a listener that takes lent chunks the memory of its reads', async () => {
  const { chunks, seen } = await receive(true);
  expect(seen).toEqual(['one', 'three']);
  expect(chunks[0]?.buffer).toBe(chunks[1]?.buffer);
});
