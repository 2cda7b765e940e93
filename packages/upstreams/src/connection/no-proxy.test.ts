import { expect, it } from 'vitest';
import { parseNoProxy } from './no-proxy.ts';

it.each([
  ['example.com', 'example.com', 443, true],
  ['example.com', 'api.example.com', 443, true],
  ['example.com', 'notexample.com', 443, false],
  ['.example.com', 'example.com', 443, true],
  ['.example.com', 'api.example.com', 443, true],
  ['*.example.com', 'api.example.com', 443, true],
  ['*.example.com', 'example.com', 443, false],
  ['EXAMPLE.com', 'Api.Example.Com.', 443, true],
  ['*', 'anything', 80, true],
  ['a.test, b.test c.test', 'c.test', 443, true],
  ['', 'example.com', 443, false],
  ['example.com:8443', 'example.com', 443, false],
  ['example.com:8443', 'example.com', 8443, true],
  ['127.0.0.1', '127.0.0.1', 80, true],
  ['127.0.0.1', '1127.0.0.1', 80, false],
  ['::1', '[::1]', 80, true],
  ['[::1]:8080', '[::1]', 8080, true],
  ['[::1]:8080', '[::1]', 80, false],
  ['10.0.0.0/8', '10.1.2.3', 443, true],
  ['10.0.0.0/8', '11.1.2.3', 443, false],
  ['10.0.0.0/8', 'ten.example', 443, false],
  ['fd00::/8', '[fd12::1]', 443, true],
])('with NO_PROXY=%j, %s:%i is reached directly: %s', (list, host, port, isDirect) => {
  expect(parseNoProxy(list)(host, port)).toBe(isDirect);
});
