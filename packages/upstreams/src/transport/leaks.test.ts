import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TIMEOUTS } from './transport.ts';
import { NODE_TRANSPORTS } from './transports.fixture.ts';
import { startRawServer, type RawRequest } from './http1/raw-server.fixture.ts';

const REQUESTS = Number(process.env['LEAK_CALLS'] ?? 2_000);
const AT_ONCE = 64;
/** How calls end, in turn. */
const WAYS = [
  'whole',
  'whole',
  'chunked',
  'cut',
  'nonsense',
  'silent',
  'close',
  'abort',
  'whole',
  'early',
] as const;

function answer({ head, socket }: RawRequest): void {
  switch (/POST \/(\w+)/.exec(head)?.[1]) {
    case 'whole':
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      return;
    case 'chunked':
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n');
      return;
    case 'cut':
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf');
      return;
    case 'nonsense':
      socket.write('nonsense\r\n\r\n');
      return;
    case 'close':
      socket.end('HTTP/1.1 200 OK\r\n\r\nok');
      return;
    case 'abort':
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf');
      return;
    default:
  }
}

const countResources = () =>
  process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|GetAddrInfo|WriteWrap/.test(name)).length;

describe.each(NODE_TRANSPORTS)('the %s transport', (_name, create) => {
  it(
    `leaves no connection, timer or listener after ${REQUESTS} calls with every kind of end`,
    { timeout: 60_000 },
    async () => {
      await using server = await startRawServer(answer);
      const before = countResources();
      const transport = create();
      const ends: Record<string, number> = {};
      const note = (end: string) => void (ends[end] = (ends[end] ?? 0) + 1);
      const send = (way: (typeof WAYS)[number]) =>
        new Promise<void>((resolve) => {
          const finish = (end: string) => {
            note(`${way} ${end}`);
            resolve();
          };
          const call = transport.send(
            {
              origin: server.origin,
              path: `/${way}`,
              headers: [],
              body: Buffer.from('{}'),
              timeouts: way === 'silent' ? { ...DEFAULT_TIMEOUTS, firstByteMs: 20 } : null,
            },
            {
              onStart: () => undefined,
              onData: () => {
                if (way !== 'abort') return;
                call.abort();
                finish('aborted');
              },
              onEnd: () => finish('ended'),
              onError: ({ kind }) => finish(kind),
            },
          );
          if (way !== 'early') return;
          call.abort();
          finish('aborted');
        });
      let next = 0;
      const work = async () => {
        for (let index = next++; index < REQUESTS; index = next++)
          await send(WAYS[index % WAYS.length] ?? 'whole');
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const tenth = REQUESTS / WAYS.length;
      expect(ends).toEqual({
        'whole ended': 3 * tenth,
        'chunked ended': tenth,
        'close ended': tenth,
        'cut cut': tenth,
        'nonsense protocol': tenth,
        'silent timeout': tenth,
        'abort aborted': tenth,
        'early aborted': tenth,
      });
      await expect.poll(() => server.sockets.size).toBeLessThanOrEqual(AT_ONCE);
      // A closed one is listed until its event.
      await expect.poll(() => [...server.sockets].filter((socket) => socket.destroyed)).toEqual([]);
      await transport.close();
      await expect.poll(() => server.sockets.size).toBe(0);
      await expect.poll(countResources).toBeLessThanOrEqual(before);
    },
  );
});
