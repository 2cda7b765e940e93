/**
 * Compares this transport with undici on random raw responses, cut anywhere: both return the same response, or both fail.
 */
import { Buffer } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { Socket } from 'node:net';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttp1Transport } from './http1-transport.ts';
import { ask, startRawServer, type RawServer } from './raw-server.fixture.ts';

interface Answer {
  text: string;
  /** Sizes of the written pieces, in turn. */
  cuts: readonly number[];
  close: boolean;
}

const answers = new Map<string, Answer>();
const transport = createHttp1Transport();
const agent = new Agent({ pipelining: 1 });
let server: RawServer;

beforeAll(async () => {
  server = await startRawServer(({ head, socket }) => {
    const answer = answers.get(head.split(' ')[1] ?? '');
    if (answer !== undefined) void writeInPieces(socket, answer);
  });
});
afterAll(async () => {
  await transport.close();
  await agent.destroy();
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

/** undici keeps trailing spaces of a value, which RFC 9112 section 5.1 excludes from it. */
const withoutBlanks = (value: string) => value.replace(/[ \t]+$/, '');

function pickHeaders(header: (name: string) => string | null): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of NAMES) {
    const value = header(name);
    if (value !== null) found[name] = value;
  }
  return found;
}

/** The response as undici reads it; null: it fails. */
async function askUndici(path: string): Promise<unknown> {
  try {
    const { statusCode, headers, body } = await agent.request({
      origin: server.origin,
      path,
      method: 'POST',
      body: '{}',
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    const header = (name: string) => {
      const value = headers[name];
      return value === undefined ? null : [value].flat().map(withoutBlanks).join(', ');
    };
    return { status: statusCode, headers: pickHeaders(header), body: bytes.toString('latin1') };
  } catch {
    return null;
  }
}

async function askOurs(path: string): Promise<unknown> {
  const outcome = await ask(transport, { origin: server.origin, path });
  if ('fault' in outcome) return null;
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
async function compare(answer: Answer): Promise<[ours: unknown, undici: unknown]> {
  count += 1;
  const path = `/answer-${count}`;
  answers.set(path, answer);
  try {
    return await Promise.all([askOurs(path), askUndici(path)]);
  } finally {
    answers.delete(path);
  }
}

it('reads every valid response like undici', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(response, cuts, async (each, sizes) => {
      const [ours, undici] = await compare({
        text: each,
        cuts: sizes,
        close: each.includes('connection: close'),
      });
      expect(ours).not.toBeNull();
      expect(ours).toEqual(undici);
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
      const [ours, undici] = await compare({ text: damaged, cuts: sizes, close: true });
      if (ours === null) return;
      taken += 1;
      expect(ours).toEqual(undici);
    }),
    { numRuns: 400 },
  );
  expect(taken).toBeGreaterThan(0);
});
