import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { ResponseReader } from './response-reader.ts';

interface Read {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** `whole`: complete, `closed`: complete at the end of the connection. */
  end: 'whole' | 'closed' | 'open' | 'invalid';
  isReusable: boolean;
}

/** The headers of the responses below. */
const NAMES = ['content-length', 'transfer-encoding', 'x-a', 'x-b'];

/** Reads a response in pieces of one size; each piece is overwritten after use. */
function read(response: string, size: number): Read {
  const result: Read = { status: 0, headers: {}, body: '', end: 'open', isReusable: false };
  const reader = new ResponseReader({
    onHead({ status, headers }) {
      result.status = status;
      for (const name of NAMES) {
        const value = headers.get(name);
        if (value !== undefined) result.headers[name] = value;
      }
    },
    onBody: (bytes, start, end) => (result.body += bytes.toString('latin1', start, end)),
  });
  const memory = Buffer.alloc(size + 8, '#');
  try {
    for (let at = 0; at < response.length && result.end === 'open'; at += size) {
      const piece = response.slice(at, at + size);
      memory.write(piece, 'latin1');
      if (reader.feed(memory, piece.length)) result.end = 'whole';
      memory.fill('#');
    }
  } catch {
    result.end = 'invalid';
  }
  if (result.end === 'open' && reader.finish()) result.end = 'closed';
  result.isReusable = reader.isReusable;
  return result;
}

const HEAD = 'HTTP/1.1 200 OK\r\n';
const LENGTH = `${HEAD}content-length: 3\r\n\r\nabc`;
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;

const valid: [string, string, Partial<Read>][] = [
  ['a length', LENGTH, { body: 'abc', isReusable: true }],
  ['a length of none', `${HEAD}content-length: 0\r\n\r\n`, { body: '' }],
  [
    'chunks',
    `${CHUNKED}3\r\nabc\r\n00A\r\n0123456789\r\n0\r\n\r\n`,
    { body: 'abc0123456789', isReusable: true },
  ],
  ['chunks with extensions', `${CHUNKED}1;a="b;c"\r\nx\r\n0;z\r\n\r\n`, { body: 'x' }],
  [
    'chunks and a trailer',
    `${CHUNKED}1\r\nx\r\n0\r\na: b\r\nc: d\r\n\r\n`,
    { body: 'x', headers: { 'transfer-encoding': 'chunked' } },
  ],
  ['Chunked in another case', CHUNKED.replace('chunked', 'Chunked') + '0\r\n\r\n', { body: '' }],
  ['no body at all', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, isReusable: true }],
  [
    'the length of a body that does not come',
    'HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n',
    { status: 304 },
  ],
  ['no reason', 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n', { status: 200 }],
  ['an empty reason', 'HTTP/1.1 529 \r\ncontent-length: 0\r\n\r\n', { status: 529 }],
  [
    'interim responses',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${LENGTH}`,
    { body: 'abc', headers: { 'content-length': '3' } },
  ],
  [
    'blanks around a value',
    `${HEAD}content-length:\t 0 \t\r\nx-a:  a  b  \r\nx-b:\r\n\r\n`,
    { headers: { 'content-length': '0', 'x-a': 'a  b', 'x-b': '' } },
  ],
  [
    'a header twice',
    `${HEAD}x-a: 1\r\nX-A: 2\r\ncontent-length: 0\r\n\r\n`,
    { headers: { 'x-a': '1, 2', 'content-length': '0' } },
  ],
  ['bytes that are no ASCII', `${HEAD}x-a: \xe9\r\ncontent-length: 2\r\n\r\n\xc3\xa9`, { body: '\xc3\xa9' }],
  [
    'the wish to close',
    `${HEAD}connection: Keep-Alive, Close\r\ncontent-length: 0\r\n\r\n`,
    { isReusable: false },
  ],
  [
    'a header named as what every object has',
    `${HEAD}__proto__: x\r\ncontent-length: 0\r\n\r\n`,
    { status: 200 },
  ],
];

const invalid: [string, string][] = [
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
  ['no status', 'HTTP/1.1 OK\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['a status that none has', 'HTTP/1.1 099 OK\r\n\r\n'],
  ['an empty line in front', `\r\n${LENGTH}`],
  ['a line that ends with only LF', `${HEAD}content-length: 3\n\r\nabc`],
  ['a status line that ends with only LF', 'HTTP/1.1 200 OK\ncontent-length: 0\r\n\r\n'],
  ['a CR inside a line', `${HEAD}x-a: b\rc\r\n\r\n`],
  ['a null inside a value', `${HEAD}x-a: b\0c\r\n\r\n`],
  ['a folded line', `${HEAD}x-a: b\r\n c\r\n\r\n`],
  ['a folded first line', `${HEAD} x-a: b\r\n\r\n`],
  ['a blank before the colon', `${HEAD}content-length : 3\r\n\r\nabc`],
  ['a header without a name', `${HEAD}: a\r\n\r\n`],
  ['a header without a colon', `${HEAD}abc\r\n\r\n`],
  ['two lengths', `${HEAD}content-length: 3\r\ncontent-length: 4\r\n\r\nabc`],
  ['the same length twice', `${HEAD}content-length: 3\r\ncontent-length: 3\r\n\r\nabc`],
  ['a list of lengths', `${HEAD}content-length: 3, 3\r\n\r\nabc`],
  ['a negative length', `${HEAD}content-length: -3\r\n\r\nabc`],
  ['a signed length', `${HEAD}content-length: +3\r\n\r\nabc`],
  ['a hexadecimal length', `${HEAD}content-length: 0x3\r\n\r\nabc`],
  ['a length that no number holds', `${HEAD}content-length: 9999999999999999\r\n\r\nabc`],
  ['an empty length', `${HEAD}content-length:\r\n\r\nabc`],
  ['a length and chunks', `${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['another coding', `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['a coding behind the chunks', `${HEAD}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
  ['the coding twice', `${HEAD}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['an empty coding', `${HEAD}transfer-encoding:\r\n\r\nabc`],
  ['a coding in HTTP/1.0', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'],
  ['interim responses without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(17)],
  ['a head over 64 KiB', `${HEAD}x-a: ${'a'.repeat(65_536)}\r\n\r\n`],
  ['more than 256 headers', `${HEAD}${'a: b\r\n'.repeat(257)}\r\n`],
  ['a chunk without a size', `${CHUNKED}\r\nabc\r\n`],
  ['a chunk with a sign', `${CHUNKED}+3\r\nabc\r\n0\r\n\r\n`],
  ['a chunk size with a prefix', `${CHUNKED}0x3\r\nabc\r\n0\r\n\r\n`],
  ['a chunk size with a blank', `${CHUNKED}3 \r\nabc\r\n0\r\n\r\n`],
  ['a chunk size that no number holds', `${CHUNKED}fffffffffffff\r\nabc`],
  ['a chunk longer than its size', `${CHUNKED}3\r\nabcd\r\n0\r\n\r\n`],
  ['a chunk size that ends with LF', `${CHUNKED}3\nabc\r\n0\r\n\r\n`],
  ['an extension that ends with LF', `${CHUNKED}3;a\nabc\r\n0\r\n\r\n`],
  ['a CR inside an extension', `${CHUNKED}3;a\rb\r\nabc\r\n0\r\n\r\n`],
  ['a chunk that ends with LF', `${CHUNKED}3\r\nabc\n0\r\n\r\n`],
  ['extensions without end', `${CHUNKED}1;${'a'.repeat(20_000)}\r\nx\r\n`],
  ['a trailer that is none', `${CHUNKED}0\r\nabc\r\n\r\n`],
  ['a trailer without end', `${CHUNKED}0\r\n${'a: b\r\n'.repeat(5_000)}\r\n`],
];

describe.each([1, 2, 3, 7, 64, 65_536])('ResponseReader with %i bytes at a time', (size) => {
  it.each(valid)('accepts a response with %s', (_what, response, expected) => {
    expect(read(response, size)).toMatchObject({ ...expected, end: 'whole' });
  });

  it.each(invalid)('refuses a response with %s', (_what, response) => {
    expect(read(response, size)).toMatchObject({ end: 'invalid' });
  });

  it('accepts a body that ends with the connection', () => {
    expect(read(`${HEAD}x-a: b\r\n\r\nabc`, size)).toMatchObject({
      body: 'abc',
      end: 'closed',
      isReusable: false,
    });
  });

  it.each([
    HEAD,
    `${HEAD}x-a: b\r\n`,
    LENGTH.slice(0, -1),
    CHUNKED,
    `${CHUNKED}3\r\nabc\r\n`,
    `${CHUNKED}0\r\n`,
  ])('is incomplete if the response is cut off (%j)', (response) => {
    expect(read(response, size)).toMatchObject({ end: 'open' });
  });
});

it('does not reuse a connection with bytes after the response', () => {
  expect(read(`${LENGTH}HTTP/1.1 200 OK`, 65_536)).toMatchObject({
    body: 'abc',
    end: 'whole',
    isReusable: false,
  });
  expect(read(`${CHUNKED}0\r\n\r\n\r\n`, 65_536)).toMatchObject({ end: 'whole', isReusable: false });
});
