import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { createHttp1Transport } from './http1-transport.ts';
import { ask, startRawServer } from './raw-server.fixture.ts';

const MIB = 1024 * 1024;
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const CHUNK = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n';

const transport = createHttp1Transport();
afterAll(() => transport.close());

/** A body that is freed as soon as its call does not need it. */
function createBody(bytes: number) {
  const body = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) body.writeUInt32LE(at, at);
  const use = {
    ends: 0,
    end() {
      this.ends += 1;
      if (body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
    },
  };
  return { body, use, expected: Buffer.from(body) };
}

it.each([1_000, 100_000, 16 * MIB])(
  'needs a body of %i bytes until the server has all of it',
  async (bytes) => {
    const { body, use, expected } = createBody(bytes);
    let isSame = false;
    await using server = await startRawServer(
      ({ body: got, socket }) => {
        isSame = use.ends === 0 && got.equals(expected);
        socket.write(OK);
      },
      {
        onConnection: (socket) => {
          socket.pause();
          setTimeout(() => socket.resume(), 50);
        },
      },
    );
    expect(await ask(transport, { ...server, body, bodyUse: use })).toMatchObject({
      status: 200,
      body: 'ok',
    });
    expect([isSame, use.ends, body.length]).toEqual([true, 1, 0]);
  },
);

it('does not need a body after its call was ended in the middle of the response', async () => {
  const { body, use } = createBody(100_000);
  await using server = await startRawServer(({ socket }) => void socket.write(CHUNK));
  void ask(transport, { ...server, body, bodyUse: use }, (call) => call.abort());
  await expect.poll(() => use.ends).toBe(1);
});

it('says nothing about a body that was not sent as a whole', async () => {
  const { body, use } = createBody(16 * MIB);
  await using server = await startRawServer(() => undefined, {
    onConnection: (socket) => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nbig');
    },
  });
  expect(await ask(transport, { ...server, body, bodyUse: use })).toMatchObject({ status: 413 });
  await sleep(20);
  expect([use.ends, body.length]).toEqual([0, 16 * MIB]);
});
