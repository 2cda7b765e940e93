/**
 * Request smuggling needs two readers that disagree. Whatever this parser accepts, `node:http` must read in the same way: the
 * same request, and the same beginning of the next one.
 */
import { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { mutateHead, mutateLength, HEADS } from './mutate-head.fixture.ts';
import { HeadReader } from './head-reader.ts';
import { parseRequestHead, type LengthPlace, type RequestHead } from './parse-request-head.ts';

/** Enough for a regular run. The parser was released after 2,000,000. */
const MUTATIONS = 10_000;
const NEXT = 'GET /next HTTP/1.1\r\nhost: x\r\n\r\n';

interface Reading {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  bodyBytes: number;
  isComplete: boolean;
}

/** What `node:http` reads from the bytes of a connection; a string: its error. */
async function readWithNode(bytes: Buffer): Promise<(Reading | string)[]> {
  const readings: (Reading | string)[] = [];
  server.removeAllListeners('request').on('request', (incoming: IncomingMessage) => {
    const { method, url, headers } = incoming;
    const reading: Reading = { method, url, headers: { ...headers }, bodyBytes: 0, isComplete: false };
    readings.push(reading);
    incoming.on('data', (chunk: Buffer) => (reading.bodyBytes += chunk.length));
    incoming.on('end', () => (reading.isComplete = true));
  });
  server.removeAllListeners('clientError').on('clientError', (error) => readings.push(String(error)));
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  server.emit('connection', socket);
  socket.push(bytes);
  await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  return readings;
}
const server = createServer({ maxHeaderSize: 16 * 1024 });

const place: LengthPlace = { start: 0, end: 0 };
const parse = (bytes: Buffer) => parseRequestHead(bytes, place);

const expected = ({ fields: { path, query, headers }, contentLength }: RequestHead, length: string) => ({
  method: 'POST',
  url: path + query,
  headers: { ...Object.fromEntries(headers), 'content-length': length },
  bodyBytes: contentLength,
  isComplete: true,
});

/** @returns true if the parser accepts the head */
async function checkSameMeaning(head: Buffer): Promise<boolean> {
  const parsed = parse(head);
  if (parsed === null || parsed.contentLength > 100_000) return false;
  const body = Buffer.alloc(Math.max(0, parsed.length + parsed.contentLength - head.length), 'b');
  // A head with a line end in its middle has the beginning of its body behind it.
  const whole = Buffer.concat([head, body]).subarray(0, parsed.length + parsed.contentLength);
  const readings = await readWithNode(Buffer.concat([whole, Buffer.from(NEXT)]));
  const [first, next] = readings;
  const bytes = whole.toString('latin1');
  const length = bytes.slice(place.start, place.end);
  expect({ bytes, read: first }).toEqual({ bytes, read: expected(parsed, length) });
  if (parsed.fields.keepsAlive) expect(next).toMatchObject({ method: 'GET', url: '/next', bodyBytes: 0 });
  else expect(next).not.toMatchObject({ url: '/next' });
  return true;
}

describe('a plain head', () => {
  it.each(HEADS)('is accepted and has the meaning that node:http reads: %j', async (head) => {
    expect(await checkSameMeaning(Buffer.from(head))).toBe(true);
  });

  it('has the meaning that node:http reads, whatever is changed in it, or is for node:http', async () => {
    let accepted = 0;
    for (let seed = 1; seed <= MUTATIONS; seed++)
      if (await checkSameMeaning(Buffer.from(mutateHead(seed), 'latin1'))) accepted += 1;
    // Neither of the two outcomes is an exception.
    expect(accepted).toBeGreaterThan(MUTATIONS / 10);
    expect(accepted).toBeLessThan((MUTATIONS * 9) / 10);
  });

  it('is up to 16 KiB long, as for node:http', async () => {
    const withPadding = (bytes: number) =>
      Buffer.from(
        `POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nx-padding: ${'p'.repeat(bytes)}\r\n\r\n`,
      );
    expect(await checkSameMeaning(withPadding(16_200))).toBe(true);
    expect(parse(withPadding(16_400))).toBeNull();
  });

  it('is not read before it is complete', () => {
    for (const head of HEADS) {
      const bytes = Buffer.from(head);
      for (let end = 0; end < bytes.length; end++) expect(parse(bytes.subarray(0, end))).toBeNull();
    }
  });
});

describe('the next head of a connection', () => {
  /** Reads into the same memory again, in which older bytes follow. */
  const createReader = () => {
    const reader = new HeadReader();
    const memory = Buffer.alloc(8 * 1024, '\r\n\r\n');
    return (bytes: Buffer) => {
      bytes.copy(memory);
      return reader.read(memory, bytes.length);
    };
  };

  it('is not read before it is complete, whatever the memory has behind it', () => {
    const read = createReader();
    for (const head of HEADS) {
      const bytes = Buffer.from(head);
      expect(read(bytes)).not.toBeNull();
      for (let end = 0; end < bytes.length; end++) expect(read(bytes.subarray(0, end))).toBeNull();
      expect(read(bytes)).not.toBeNull();
    }
  });

  it.each(HEADS)('shares its fields with the last one if only the length of the body differs: %j', (head) => {
    const read = createReader();
    const first = read(Buffer.from(head));
    for (const length of ['0', '7', '007', '1234567890']) {
      const bytes = Buffer.from(head.replace(/(content-length: *)\d+/i, `$1${length}`));
      const next = read(Buffer.concat([bytes, Buffer.from('{}')]));
      expect(next).toEqual({ ...parse(bytes), fields: first?.fields });
      expect(next?.fields).toBe(first?.fields);
    }
  });

  it('is not kept if it is longer than 4 KiB', () => {
    const read = createReader();
    const long = Buffer.from(
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nx-padding: ${'p'.repeat(5_000)}\r\n\r\n`,
    );
    const [first, next] = [read(long), read(long)];
    expect(next).toEqual(first);
    expect(next?.fields).not.toBe(first?.fields);
  });

  it('means the same as on a new connection, whatever is changed in it', () => {
    const readNext = createReader();
    let shared = 0;
    for (let seed = 1; seed <= MUTATIONS; seed++) {
      const before = readNext(Buffer.from(mutateHead(seed), 'latin1'));
      const bytes = Buffer.from(
        seed % 2 === 0 ? mutateLength(mutateHead(seed), seed) : mutateHead(seed + 1),
        'latin1',
      );
      const read = readNext(bytes);
      expect({ bytes: String(bytes), read }).toEqual({ bytes: String(bytes), read: parse(bytes) });
      if (read !== null && read.fields === before?.fields) shared += 1;
    }
    expect(shared).toBeGreaterThan(MUTATIONS / 40);
    expect(shared).toBeLessThan(MUTATIONS / 2);
  });

  it('is parsed if it became too large, or was cut off', () => {
    const read = createReader();
    const head = (length: string, end = '\r\n\r\n') =>
      Buffer.from(
        `POST /a HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(4_032)}\r\ncontent-length: ${length}${end}`,
      );
    for (const [length, end] of [['1'], ['12'], ['123'], ['1', '\r\n\r'], ['1', '\r\nx: 1\r\n\r\n']] as const)
      expect(read(head(length, end))).toEqual(parse(head(length, end)));
  });
});

describe('a head for node:http', () => {
  const plain = (line: string) => `POST /v1/messages HTTP/1.1\r\nhost: x\r\n${line}\r\n\r\n`;
  it.each([
    ['no length', plain('x-a: 1')],
    ['two lengths', plain('content-length: 1\r\ncontent-length: 1')],
    ['two equal lengths in one line', plain('content-length: 1, 1')],
    ['a signed length', plain('content-length: +1')],
    ['a hexadecimal length', plain('content-length: 0x1')],
    ['a length and chunks', plain('content-length: 1\r\ntransfer-encoding: chunked')],
    ['a name that ends with a space', plain('content-length: 1\r\nx-a : 1')],
    ['a folded line', plain('content-length: 1\r\nx-a: 1\r\n 2')],
    ['a line feed only', plain('content-length: 1\nx-a: 1')],
    ['a carriage return in a value', plain('content-length: 1\r\nx-a: 1\r2')],
    ['a tab', plain('content-length: 1\r\nx-a:\t1')],
    ['a character that is not ASCII', plain('content-length: 1\r\nx-a: \xe9')],
    ['a zero byte', plain('content-length: 1\r\nx-a: \0')],
    ['two hosts', plain('content-length: 1\r\nhost: y')],
    ['a repeated header', plain('content-length: 1\r\nx-api-key: 1\r\nX-Api-Key: 2')],
    ['an expectation', plain('content-length: 1\r\nexpect: 100-continue')],
    ['an upgrade', plain('content-length: 1\r\nconnection: upgrade\r\nupgrade: websocket')],
    ['another connection option', plain('content-length: 1\r\nconnection: keep-alive, x-a')],
    ['a connection option of proxies', plain('content-length: 1\r\nproxy-connection: close')],
    ['no host', 'POST /v1/messages HTTP/1.1\r\ncontent-length: 1\r\n\r\n'],
    ['HTTP/1.0', plain('content-length: 1').replace('1.1', '1.0')],
    ['another method', plain('content-length: 1').replace('POST', 'PUT')],
    ['a line before it', `\r\n${plain('content-length: 1')}`],
    ['a fragment', plain('content-length: 1').replace('messages', 'messages#a')],
    ['a second space', plain('content-length: 1').replace('POST ', 'POST  ')],
    [
      'many headers',
      plain(`content-length: 1${Array.from({ length: 70 }, (_, n) => `\r\nx-${n}: 1`).join('')}`),
    ],
    ['a large head', plain(`content-length: 1\r\nx-a: ${'1'.repeat(16_500)}`)],
  ])('is one with %s', (_what, head) => {
    expect(parse(Buffer.from(head, 'latin1'))).toBeNull();
  });
});
