import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReadTurns } from '../../request-body/read-turns.ts';
import { echo, expectedEcho, getEchoes, post, readBody } from '../echo-exchange.fixture.ts';
import { ask } from '../exchange-server.fixture.ts';
import { DirectConnection, type ConnectionOwner } from './direct-connection.ts';
import type { DirectExchange } from './direct-exchange.ts';

const CHECKS = { head: 4, request: 3, idle: 5 };

let server: Server;
let client: Socket;
let connection: DirectConnection;
let received: string;
let isDraining: boolean;
/** What the connection has reported to its server. */
let reported: string[];
/** What it has given to `node:http`. */
let handedOver: string;
let answer: (exchange: DirectExchange) => void;

beforeEach(async () => {
  received = '';
  handedOver = '';
  isDraining = false;
  const heard: string[] = [];
  reported = heard;
  answer = (exchange) => exchange.send(200, 'text/plain', '<ok>');
  const owner: ConnectionOwner = {
    checks: CHECKS,
    keepAlive: 'connection: keep-alive\r\n\r\n',
    find: (path) => (path === '/node' ? undefined : (exchange) => answer(exchange)),
    isDraining: () => isDraining,
    handOver: (handed, bytes) => {
      heard.push(`hand over ${bytes.length}`);
      handedOver = bytes.toString('latin1');
      handed.detach();
    },
    refuse: (_, code) => heard.push(code),
    remove: () => heard.push('remove'),
  };
  server = createServer((socket) => (connection = new DirectConnection(owner, socket)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const accepted = once(server, 'connection');
  const { port } = server.address() as AddressInfo;
  client = connect(port, '127.0.0.1');
  client.setEncoding('latin1').on('data', (text) => (received += String(text)));
  client.on('error', () => undefined);
  await accepted;
});
afterEach(() => {
  client.destroy();
  connection.socket.destroy();
  server.close();
});

const check = (times: number) => {
  for (let count = 0; count < times; count += 1) connection.check();
};
/** Waits until the server has read everything that was written. */
async function write(text: string): Promise<void> {
  const before = connection.socket.bytesRead;
  client.write(text);
  await expect
    .poll(() => connection.socket.bytesRead, { interval: 1 })
    .toBe(before + Buffer.byteLength(text));
}
const request = async (path = '/a') => {
  const before = getEchoes(received).length;
  await write(ask(path));
  await expect.poll(() => getEchoes(received).length, { interval: 1 }).toBe(before + 1);
};

describe('the checks of a connection', () => {
  it('refuse one without a first request', () => {
    check(CHECKS.head);
    expect(reported).toEqual([]);
    check(1);
    expect(reported).toEqual(['ERR_HTTP_REQUEST_TIMEOUT']);
  });

  it('close one that waits too long for its next request, since the last response', async () => {
    for (let count = 0; count < 3; count += 1) {
      await request();
      check(CHECKS.idle);
      expect(connection.isOpen).toBe(true);
    }
    check(1);
    expect([connection.isOpen, reported]).toEqual([false, []]);
  });

  it('count neither the time of a response nor that of an earlier request', async () => {
    let end = () => {};
    answer = (exchange) => (end = () => exchange.send(200, 'text/plain', '<late>'));
    await write(ask('/a'));
    check(100);
    end();
    await expect.poll(() => getEchoes(received), { interval: 1 }).toEqual(['<late>']);
    check(CHECKS.idle);
    answer = (exchange) => void echo(exchange, '/a');
    await write(post('/a', 'body').slice(0, -1));
    check(CHECKS.request);
    await write('y');
    await expect.poll(() => getEchoes(received).length, { interval: 1 }).toBe(2);
    expect([connection.isOpen, reported]).toEqual([true, []]);
  });

  it('refuse one whose body does not arrive, once, and read nothing more', async () => {
    const read: unknown[] = [];
    answer = (exchange) => void echo(exchange, '/a').then(() => read.push('read'));
    await write(post('/a', 'body').slice(0, -1));
    check(CHECKS.request + 1);
    expect(reported).toEqual(['ERR_HTTP_REQUEST_TIMEOUT']);
    await write('y');
    check(10);
    client.end();
    await once(client, 'close');
    expect(reported).toEqual(['ERR_HTTP_REQUEST_TIMEOUT', 'remove']);
    expect(received).toBe('');
  });

  it('close one that has begun to answer without the body, and write no error into the response', async () => {
    answer = (exchange) => {
      exchange.start(200, 'text/event-stream');
      exchange.writeLatin1('<begun>');
    };
    await write(post('/a', 'body').slice(0, -1));
    check(CHECKS.request + 1);
    expect([connection.isOpen, reported]).toEqual([false, []]);
  });
});

describe('a connection', () => {
  it('is not closed by the exchange of an earlier request', async () => {
    const exchanges: DirectExchange[] = [];
    answer = (exchange) => {
      exchanges.push(exchange);
      if (exchanges.length === 1) exchange.send(200, 'text/plain', '<first>');
    };
    await request();
    await write(ask('/a'));
    exchanges[0]?.destroy();
    expect(connection.isOpen).toBe(true);
    exchanges[1]?.destroy();
    expect(connection.isOpen).toBe(false);
  });

  it('that is new is not idle yet', async () => {
    connection.closeIdle();
    expect(connection.isOpen).toBe(true);
    await request();
    connection.closeIdle();
    expect(connection.isOpen).toBe(false);
  });

  it('leaves no listener behind when it is handed over', async () => {
    const events = ['data', 'end', 'drain', 'error', 'close'] as const;
    const { socket } = connection;
    const count = () => events.map((event) => socket.listenerCount(event));
    const before = count();
    await request();
    await write(ask('/node'));
    expect(reported).toEqual([`hand over ${ask('/node').length}`]);
    expect(count()).toEqual(before.map((listeners) => listeners - 1));
    socket.on('error', () => undefined).destroy();
    await once(client, 'close');
    expect(reported).toHaveLength(1);
  });

  it('returns a body without waiting if all of it has arrived', async () => {
    const isWaiting: boolean[] = [];
    answer = (exchange) => {
      const reading = readBody(exchange);
      isWaiting.push(reading instanceof Promise);
      void Promise.resolve(reading).then((body) => exchange.send(200, 'text/plain', `<${body.ok}>`));
    };
    await write(post('/a', 'whole'));
    await expect.poll(() => getEchoes(received), { interval: 1 }).toEqual(['<true>']);
    await write(post('/a', 'parts').slice(0, -2));
    await write('ts');
    await expect.poll(() => getEchoes(received), { interval: 1 }).toEqual(['<true>', '<true>']);
    expect(isWaiting).toEqual([false, true]);
  });

  it('keeps what it received of a body while more is read', async () => {
    let read = () => {};
    answer = (exchange) => (read = () => void echo(exchange, '/a'));
    await write(post('/a', 'kept').slice(0, -2));
    await write('pt');
    await write(`POST ${'x'.repeat(500)}`);
    read();
    await expect.poll(() => getEchoes(received), { interval: 1 }).toEqual([expectedEcho('/a', 'kept')]);
    expect(reported).toEqual(['hand over 505']);
  });

  it.each([
    ['the request', ''],
    ['the end of its body', 'pt'],
  ])('keeps the next request that came with %s while more is read', async (_, end) => {
    let read = () => {};
    answer = (exchange) => (read = () => void echo(exchange, '/a'));
    const request = post('/a', 'kept');
    if (end !== '') await write(request.slice(0, -end.length));
    await write(`${end === '' ? request : end}POST /next HTTP/1.1`);
    await write('x'.repeat(500));
    read();
    await expect.poll(() => getEchoes(received), { interval: 1 }).toEqual([expectedEcho('/a', 'kept')]);
    expect(handedOver).toBe(`POST /next HTTP/1.1${'x'.repeat(500)}`);
  });

  it('reads the next request after a body whose every piece used up a turn', async () => {
    class ShortTurns extends ReadTurns {
      override spend(): boolean {
        return true;
      }
    }
    const answerLength = async (exchange: DirectExchange) => {
      const body = await readBody(exchange, new ShortTurns());
      exchange.send(200, 'text/plain', `<${body.ok ? body.value.length : ''}>`);
    };
    answer = (exchange) => void answerLength(exchange);
    for (let count = 1; count <= 3; count += 1) {
      client.write(post('/a', 'x'.repeat(100_000)));
      await expect.poll(() => getEchoes(received), { interval: 1 }).toHaveLength(count);
    }
  });

  it('reports to the exchange that the caller has left before all of its response was sent', async () => {
    const left: string[] = [];
    answer = (exchange) => {
      exchange.listen({ onDisconnect: () => left.push('disconnect'), onDrain: () => undefined });
      exchange.send(200, 'text/plain', 'x'.repeat(20_000_000));
    };
    client.pause();
    await write(ask('/a'));
    client.resetAndDestroy();
    await expect.poll(() => left).toEqual(['disconnect']);
  });

  it('that closes after its response waits for a caller that is still sending its body', async () => {
    isDraining = true;
    client.allowHalfOpen = true;
    const ended = once(client, 'end');
    await write(post('/a', 'x'.repeat(60_000)).slice(0, -50_000));
    await ended;
    expect(getEchoes(received)).toEqual(['<ok>']);
    expect(connection.isOpen).toBe(true);
  });
});
