import { gzipSync } from 'node:zlib';
import { Buffer } from 'node:buffer';
import { always, either, type Fault } from '../fault.ts';
import { cutAt, findOffset, withHeaders, withText, type Plan } from '../plan.ts';

const gzip = (plan: Plan) => gzipSync(Buffer.concat(plan.pieces));
const encoded = (plan: Plan, bytes: Buffer): Plan => ({
  ...withHeaders(plan, 'content-encoding: gzip'),
  pieces: [bytes],
});
const countBytes = ({ pieces }: Plan) => pieces.reduce((sum, { length }) => sum + length, 0);
const half = (plan: Plan) => findOffset(plan, 'drei');

/** Responses whose head or framing is unusual or wrong. */
export const FRAMING: readonly Fault[] = [
  {
    name: 'informational 100',
    provoke: (plan) => ({ ...plan, before: 'HTTP/1.1 100 Continue\r\n\r\n' }),
    expected: always('first'),
  },
  {
    name: 'informational 103 with headers',
    provoke: (plan) => ({ ...plan, before: 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n' }),
    expected: always('first'),
  },
  {
    name: 'informational 102 twenty times',
    provoke: (plan) => ({ ...plan, before: 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20) }),
    expected: always('second'),
  },
  {
    name: 'switch of protocols',
    provoke: (plan) => ({ ...plan, before: 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\n\r\n' }),
    expected: always('second'),
  },
  {
    name: 'HTTP/1.0, ended by the connection',
    provoke: (plan) => ({ ...plan, statusLine: 'HTTP/1.0 200 OK', framing: 'close' }),
    expected: always('first'),
  },
  {
    name: 'HTTP/1.1, ended by the connection',
    provoke: (plan) => ({ ...plan, framing: 'close' }),
    expected: always('first'),
  },
  {
    name: 'status line without a reason',
    provoke: (plan) => ({ ...plan, statusLine: 'HTTP/1.1 200' }),
    expected: always('first'),
  },
  {
    name: 'status line of HTTP/2',
    provoke: (plan) => ({ ...plan, statusLine: 'HTTP/2 200 OK' }),
    expected: always('second'),
  },
  {
    name: 'no HTTP',
    provoke: (plan) => ({ ...plan, raw: 'SSH-2.0-OpenSSH_9.2\r\n', end: 'fin' }),
    expected: always('second'),
  },
  {
    name: 'trailers',
    provoke: (plan) => ({ ...plan, framing: 'chunked', trailers: ['x-sum: 1', 'x-time: 2'] }),
    expected: always('first'),
  },
  {
    name: 'chunks of one byte',
    provoke: (plan) => ({
      ...plan,
      framing: 'chunked',
      intervalMs: 0,
      pieces: Array.from(Buffer.concat(plan.pieces), (byte) => Buffer.from([byte])),
    }),
    expected: always('first'),
  },
  {
    name: 'content-length of a stream',
    provoke: (plan) => ({ ...plan, framing: 'length' }),
    expected: always('first'),
  },
  {
    name: 'content-length too long',
    provoke: (plan) => ({
      ...withHeaders(plan, `content-length: ${countBytes(plan) + 10}`),
      framing: 'length',
      end: 'fin',
    }),
    // The terminator of the stream has arrived.
    expected: either('first', 'second'),
  },
  {
    name: 'content-length too short',
    provoke: (plan) => ({ ...withHeaders(plan, `content-length: ${half(plan)}`), framing: 'length' }),
    expected: either('ended', 'second'),
  },
  {
    name: 'content-length that is no number',
    provoke: (plan) => ({ ...withHeaders(plan, 'content-length: many'), framing: 'length' }),
    expected: always('second'),
  },
  {
    name: 'two different content-lengths',
    provoke: (plan) => ({
      ...withHeaders(plan, 'content-length: 5', `content-length: ${countBytes(plan)}`),
      framing: 'length',
    }),
    expected: always('second'),
  },
  {
    name: 'content-length and chunks',
    provoke: (plan) => ({
      ...withHeaders(plan, 'content-length: 5', 'transfer-encoding: chunked'),
      framing: 'chunked',
    }),
    expected: always('second'),
  },
  {
    name: 'chunk with a bad size',
    provoke: (plan) => ({ ...cutAt(plan, half(plan), 'whole'), framing: 'chunked', afterPieces: 'xyz\r\n' }),
    expected: either('ended', 'second'),
  },
  {
    name: 'chunk longer than its size',
    provoke: (plan) => ({
      ...cutAt(plan, half(plan), 'whole'),
      framing: 'chunked',
      afterPieces: '3\r\nabcdef\r\n',
    }),
    expected: either('ended', 'second'),
  },
  {
    name: 'no last chunk',
    provoke: (plan) => ({ ...plan, framing: 'chunked', end: 'fin' }),
    // The terminator of the stream has arrived.
    expected: either('first', 'second'),
  },
  { name: 'gzip, not requested', provoke: (plan) => encoded(plan, gzip(plan)), expected: always('second') },
  {
    name: 'truncated gzip',
    provoke: (plan) => encoded(plan, gzip(plan).subarray(0, 60)),
    expected: always('second'),
  },
  {
    name: 'said to be gzip, and is not',
    provoke: (plan) => withHeaders(plan, 'content-encoding: gzip'),
    expected: always('second'),
  },
  {
    name: 'content-encoding identity',
    provoke: (plan) => withHeaders(plan, 'content-encoding: identity'),
    expected: always('first'),
  },
  {
    name: 'a header of 70 KB',
    provoke: (plan) => withHeaders(plan, `x-large: ${'x'.repeat(70_000)}`),
    expected: always('second'),
  },
  {
    name: '300 headers',
    provoke: (plan) => withHeaders(plan, ...Array.from({ length: 300 }, (_, at) => `x-${at}: 1`)),
    expected: always('second'),
  },
  {
    name: '200 headers',
    provoke: (plan) => withHeaders(plan, ...Array.from({ length: 200 }, (_, at) => `x-${at}: 1`)),
    expected: always('first'),
  },
  {
    name: 'a header with a zero byte',
    provoke: (plan) => withHeaders(plan, 'x-bad: a\0b'),
    expected: always('second'),
  },
  {
    name: 'a header with bytes above 127',
    provoke: (plan) => withHeaders(plan, 'x-odd: \u00e9\u00ff'),
    expected: always('first'),
  },
  {
    name: 'a folded header',
    provoke: (plan) => withHeaders(plan, 'x-long: a', ' b'),
    expected: always('second'),
  },
  {
    name: 'a header without a colon',
    provoke: (plan) => withHeaders(plan, 'x-bad'),
    expected: always('second'),
  },
  {
    name: 'headers one byte at a time',
    provoke: (plan) => ({ ...plan, headIntervalMs: 1 }),
    expected: always('first'),
  },
  {
    name: 'headers slower than the time to the first byte',
    provoke: (plan) => ({ ...plan, headIntervalMs: 100 }),
    expected: always('second'),
    isSlow: true,
  },
  { name: 'reset after the headers', provoke: (plan) => cutAt(plan, 0, 'reset'), expected: always('second') },
  { name: 'closed after the headers', provoke: (plan) => cutAt(plan, 0, 'fin'), expected: always('second') },
  {
    name: 'silence after the headers',
    provoke: (plan) => ({ ...cutAt(plan, 0, 'stall'), framing: 'chunked' }),
    expected: always('second'),
    isSlow: true,
  },
  { name: 'an empty body', provoke: (plan) => cutAt(plan, 0, 'whole'), expected: always('second') },
  {
    name: 'bytes after the response',
    provoke: (plan) => ({ ...plan, afterEnd: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno' }),
    expected: always('first'),
    isWarmed: true,
  },
  {
    name: 'a line of blanks before the body',
    provoke: (plan) => withText(plan, (text) => `\r\n\r\n${text}`),
    expected: always('first'),
  },
];
