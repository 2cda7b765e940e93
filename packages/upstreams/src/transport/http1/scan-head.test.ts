import { Buffer } from 'node:buffer';
import { createSeededRandom } from '@tollgate/testing/bad-input/seeded-random';
import { describe, expect, it } from 'vitest';
import { HeadReader } from './parse-head.ts';
import { scanHead } from './scan-head.ts';

const NAMES = ['a', 'content-length', 'x-a', 'x^', 'x~', 'absent'];

/** What both readers find in a head that is in one piece, or that they find none. */
function readBoth(text: string): { scanned: unknown; byLine: unknown } {
  const bytes = Buffer.from(`##${text}##`, 'latin1');
  const to = bytes.length - 2;
  const scanned = scanHead(bytes, 2, to);
  const reader = new HeadReader();
  let byLine: unknown = null;
  try {
    byLine = describeHead(reader.take(bytes.subarray(0, to), 2), reader.next);
  } catch {
    // It is not valid.
  }
  return { scanned: scanned && describeHead(scanned.head, scanned.next), byLine };
}

function describeHead(head: ReturnType<HeadReader['take']>, next: number): unknown {
  if (head === null) return null;
  const { status, minorVersion, headers } = head;
  return { status, minorVersion, next, headers: NAMES.map((name) => headers.get(name) ?? null) };
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-A: b\r\n\r\n';

describe('scanHead', () => {
  it('finds the status, the headers and the end of a head', () => {
    const scanned = scanHead(Buffer.from(`${HEAD}body`), 0, HEAD.length + 4);
    expect(scanned?.next).toBe(HEAD.length);
    expect(scanned?.head).toMatchObject({ status: 200, minorVersion: 1 });
    expect(scanned?.head.headers.get('content-length')).toBe('3');
    expect(scanned?.head.headers.get('x-a')).toBe('b');
    expect(scanned?.head.headers.get('x-b')).toBeUndefined();
  });

  it('joins repeated headers, whatever the case of their names', () => {
    expect(readBoth('HTTP/1.0 404\r\nX-A: 1\r\nx-a:\t2 \r\na:\r\nX^: ^\r\n\r\n')).toEqual({
      scanned: expect.objectContaining({ status: 404, minorVersion: 0 }),
      byLine: expect.objectContaining({ headers: ['', null, '1, 2', '^', null, null] }),
    });
  });

  it.each(Array.from({ length: HEAD.length }, (_, length) => [length]))(
    'leaves a head of which only %i bytes have arrived to the other reader',
    (length) => {
      expect(scanHead(Buffer.from(HEAD), 0, length)).toBeNull();
    },
  );

  it('leaves a head that is too large, or has too many headers, to the other reader', () => {
    for (const header of [`a: ${'a'.repeat(65_536)}\r\n`, 'a: b\r\n'.repeat(257)]) {
      const bytes = Buffer.from(`HTTP/1.1 200 OK\r\n${header}\r\n`);
      expect(scanHead(bytes, 0, bytes.length)).toBeNull();
    }
    const bytes = Buffer.from(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(256)}\r\n`);
    expect(scanHead(bytes, 0, bytes.length)?.next).toBe(bytes.length);
  });

  it('accepts the same heads as the reader of lines, and reads them in the same way', () => {
    const parts = ['\r', '\n', '\r\n', ':', ' ', '\t', '\0', '\x7f', '\xe9', 'a', 'X-A', 'HTTP/1.', '2', '0'];
    const random = createSeededRandom(1);
    let accepted = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const at = random.below(HEAD.length);
      const changed = random.pick(parts) + random.pick(parts);
      const { scanned, byLine } = readBoth(HEAD.slice(0, at) + changed + HEAD.slice(at + random.below(3)));
      expect(scanned).toEqual(byLine);
      if (scanned !== null) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(1_000);
  });
});
