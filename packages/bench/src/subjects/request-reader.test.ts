import { expect, it } from 'vitest';
import { RequestReader } from './request-reader.ts';

const LENGTH = 'POST /v1/a HTTP/1.1\r\ncontent-length: 4\r\n\r\n{\r\n}';
const CHUNKED =
  'POST /sse/v1/b HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\n\r\n\r\r\na\r\n0123456789\r\n0\r\nx-trailer: 1\r\n\r\n';
const EMPTY = 'GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n';

it.each([1, 2, 3, 7, 1_000])('finds every request in pieces of %i bytes', (size) => {
  const all = Buffer.from(LENGTH + CHUNKED + EMPTY + LENGTH);
  const requests: [string, number][] = [];
  const reader = new RequestReader((path, bytes) => requests.push([path, bytes]));
  for (let at = 0; at < all.length; at += size) reader.push(all.subarray(at, at + size));
  expect(requests).toEqual([
    ['/v1/a', 4],
    ['/sse/v1/b', 13],
    ['/v1/models', 0],
    ['/v1/a', 4],
  ]);
});

it('waits for the last byte of a body', () => {
  const paths: string[] = [];
  const reader = new RequestReader((path) => paths.push(path));
  reader.push(Buffer.from(LENGTH).subarray(0, -1));
  expect(paths).toEqual([]);
});
