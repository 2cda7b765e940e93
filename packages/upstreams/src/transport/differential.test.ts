/**
 * Compares the two clients on random raw responses, cut anywhere, and on failures of servers: both return the same response,
 * or both fail in the same way.
 */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttp1Transport } from './http1/http1-transport.ts';
import { DEFAULT_TIMEOUTS, type UpstreamTransport } from './transport.ts';
import { createUndiciTransport } from './undici/undici-transport.ts';
import { ask, startRawServer, type RawServer } from './http1/raw-server.fixture.ts';

interface Answer {
  text: string;
  /** Sizes of the written pieces, in turn. */
  cuts: readonly number[];
  close: boolean;
}

const answers = new Map<string, Answer>();
const transport = createHttp1Transport();
const undici = createUndiciTransport();
let server: RawServer;

beforeAll(async () => {
  server = await startRawServer(({ head, socket }) => {
    const answer = answers.get(head.split(' ')[1] ?? '');
    if (answer !== undefined) void writeInPieces(socket, answer);
  });
});
afterAll(async () => {
  await transport.close();
  await undici.close();
  await server[Symbol.asyncDispose]();
});

async function writeInPieces(socket: Socket, { text, cuts, close }: Answer): Promise<void> {
  for (let at = 0, turn = 0; at < text.length && !socket.destroyed; turn += 1) {
    const size = cuts[turn % cuts.length] ?? text.length;
    socket.write(text.slice(at, at + size), 'latin1');
    at += size;
    await setImmediate();
  }
  if (close) socket.end();
}

/** The compared headers; a damaged name makes others. */
const NAMES = ['x-a', 'x-b', 'content-type', 'retry-after', 'server', 'content-length', 'connection'];

function pickHeaders(header: (name: string) => string | null): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of NAMES) {
    const value = header(name);
    if (value !== null) found[name] = value;
  }
  return found;
}

/** The response as a client reads it; null: it fails. */
async function read(client: UpstreamTransport, path: string): Promise<unknown> {
  const outcome = await ask(client, { origin: server.origin, path });
  if ('failure' in outcome) return null;
  return { status: outcome.status, headers: pickHeaders(outcome.header), body: outcome.body };
}

const text = fc.string({ unit: fc.constantFrom(...Array.from('abcz09 \r\n:;{}"\xc3\xa9')), maxLength: 60 });
const blank = fc.constantFrom('', ' ', '  ', '\t');
const value = fc
  .string({ unit: fc.constantFrom(...Array.from('abc 012,;="/')), maxLength: 20 })
  .map((each) => each.trim());
const header = fc
  .tuple(fc.constantFrom('x-a', 'X-B', 'content-type', 'retry-after', 'Server'), blank, value, blank)
  .map(([name, before, each, after]) => `${name}:${before}${each}${after}\r\n`);
const chunk = fc
  .tuple(text, fc.constantFrom('', ';a', ';a=b', ';a="b c"'), fc.boolean())
  .map(([data, extension, isLong]) => {
    const size = data.length.toString(16);
    return data === '' ? '' : `${isLong ? `0${size.toUpperCase()}` : size}${extension}\r\n${data}\r\n`;
  });

/** The framing headers and the bytes after the head. */
const body = fc.oneof(
  text.map((each) => [`content-length: ${each.length}\r\n`, each]),
  text.map((each) => [`Content-Length:${each.length}\r\n`, each]),
  fc
    .tuple(fc.array(chunk, { maxLength: 5 }), fc.constantFrom('', 'x-t: u\r\n'))
    .map(([chunks, trailer]) => ['transfer-encoding: chunked\r\n', `${chunks.join('')}0\r\n${trailer}\r\n`]),
  text.map((each) => ['connection: close\r\n', each]),
);

const statusLine = fc.constantFrom(
  '200 OK',
  '200 ',
  '201 Created',
  '400 Bad Request',
  '429 Too Many',
  '500 X',
  '529 Y',
);
/** Not 100, which undici refuses if it is unexpected. */
const interim = fc.constantFrom(
  '',
  '',
  '',
  'HTTP/1.1 102 Processing\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n',
);

const response = fc
  .tuple(interim, statusLine, fc.array(header, { maxLength: 6 }), body)
  .map(([before, status, headers, [framing = '', bytes = '']]) => {
    const at = Math.floor(headers.length / 2);
    return `${before}HTTP/1.1 ${status}\r\n${headers.slice(0, at).join('')}${framing}${headers.slice(at).join('')}\r\n${bytes}`;
  });

/** Changes, removes or doubles one character, or cuts the end off. */
const damage = fc.record({
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  how: fc.constantFrom('drop', 'twice', 'cut'),
});

const cuts = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
);

let count = 0;
async function compare(answer: Answer): Promise<[ours: unknown, other: unknown]> {
  count += 1;
  const path = `/answer-${count}`;
  answers.set(path, answer);
  try {
    return await Promise.all([read(transport, path), read(undici, path)]);
  } finally {
    answers.delete(path);
  }
}

it('reads every valid response like undici', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(response, cuts, async (each, sizes) => {
      const [ours, other] = await compare({
        text: each,
        cuts: sizes,
        close: each.includes('connection: close'),
      });
      expect(ours).not.toBeNull();
      expect(ours).toEqual(other);
    }),
    { numRuns: 400 },
  );
});

it('reads every damaged response that it accepts like undici', { timeout: 120_000 }, async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(response, damage, cuts, async (each, { at, how }, sizes) => {
      const index = Math.floor(at * each.length);
      const rest = how === 'cut' ? '' : each.slice(index + (how === 'drop' ? 1 : 0));
      const damaged = each.slice(0, index + (how === 'twice' ? 1 : 0)) + rest;
      const [ours, other] = await compare({ text: damaged, cuts: sizes, close: true });
      if (ours === null) return;
      taken += 1;
      expect(ours).toEqual(other);
    }),
    { numRuns: 400 },
  );
  expect(taken).toBeGreaterThan(0);
});

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

it.each([
  ['nothing', '', 'cut'],
  ['no HTTP', 'nonsense\r\n\r\n', 'protocol'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'protocol'],
  ['half a head', `${OK}content-le`, 'cut'],
  ['half a body', `${OK}content-length: 9\r\n\r\nhalf`, 'cut'],
  ['chunks without an end', `${CHUNKED}2\r\nok\r\n`, 'cut'],
  ['half a chunk', `${CHUNKED}9\r\nhalf`, 'cut'],
  ['no size of a chunk', `${CHUNKED}zz\r\nok\r\n0\r\n\r\n`, 'protocol'],
  ['two lengths', `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok`, 'protocol'],
  [
    'a length and chunks',
    `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'protocol',
  ],
  ['a blank before a colon', `${OK}x-a : b\r\ncontent-length: 2\r\n\r\nok`, 'protocol'],
  ['a folded header', `${OK}x-a: b\r\n c\r\ncontent-length: 2\r\n\r\nok`, 'protocol'],
  ['a null in a header', `${OK}x-a: b\0c\r\ncontent-length: 2\r\n\r\nok`, 'protocol'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'protocol'],
  ['a head above 64 KiB', `${OK}x-a: ${'a'.repeat(66_000)}\r\n\r\n`, 'protocol'],
  ['17 interim responses', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(17), 'protocol'],
  ['257 headers', `${OK}${'x-a: b\r\n'.repeat(257)}content-length: 2\r\n\r\nok`, 'protocol'],
])('fails in the same way if the server sends %s', async (_what, sent, kind) => {
  for (const close of [true, false]) {
    if (!close && kind === 'cut') continue;
    answers.set('/failure', { text: sent, cuts: [4_096], close });
    const outcomes = await Promise.all(
      [transport, undici].map((client) => ask(client, { origin: server.origin, path: '/failure' })),
    );
    expect(outcomes).toEqual([
      expect.objectContaining({ failure: kind }),
      expect.objectContaining({ failure: kind }),
    ]);
  }
});

it.each(['http1', 'undici'])(
  'ends a response whose extensions of chunks never end, with %s',
  async (name) => {
    await using flooding = await startRawServer(({ socket }) => {
      const flood = (): void => {
        if (!socket.destroyed) socket.write('a'.repeat(1024 * 1024), () => void setImmediate().then(flood));
      };
      socket.write(`${CHUNKED}1;`);
      flood();
    });
    const timeouts = { ...DEFAULT_TIMEOUTS, totalMs: 5_000 };
    const client = name === 'http1' ? transport : undici;
    expect(await ask(client, { origin: flooding.origin, timeouts })).toMatchObject({ failure: 'protocol' });
  },
);

it.each([
  ['400,000 chunks of one byte', `${CHUNKED}${'1\r\nx\r\n'.repeat(400_000)}0\r\n\r\n`],
  ['16 interim responses', `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(16)}${OK}content-length: 2\r\n\r\nok`],
  ['256 headers', `${OK}${'x-a: b\r\n'.repeat(255)}content-length: 2\r\n\r\nok`],
  ['a head of 60 KiB', `${OK}x-b: ${'a'.repeat(60_000)}\r\ncontent-length: 2\r\n\r\nok`],
  ['bytes that are not UTF-8', `${OK}x-b: \xe9\xff\r\ncontent-length: 2\r\n\r\n\xff\xfe`],
  ['no body', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['a redirect', 'HTTP/1.1 307 Moved\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n'],
  ['an encoded body', `${OK}content-encoding: gzip\r\ncontent-length: 2\r\n\r\nok`],
])('reads %s in the same way', async (_what, sent) => {
  const [ours, other] = await compare({ text: sent, cuts: [50_000], close: false });
  expect(ours).not.toBeNull();
  expect(ours).toEqual(other);
});
