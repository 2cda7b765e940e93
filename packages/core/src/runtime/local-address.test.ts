import { expect, it } from 'vitest';
import { listenHostSchema, localUrl } from './local-address.ts';

it.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['fd00::1', 'http://[fd00::1]:80'],
  ['10.1.2.3', 'http://10.1.2.3:80'],
  ['gateway.internal', 'http://gateway.internal:80'],
])('a service that listens on %s is reached at %s', (host, url) => expect(localUrl(host, 80)).toBe(url));

it.each(['127.0.0.1', '::', 'fd00::1', 'localhost', 'gateway.internal'])('%s is a host', (host) =>
  expect(listenHostSchema.safeParse(host).success).toBe(true),
);

it.each(['', 'two words', 'example.com/v1', 'example.com:80', 'a?b', 'a#b', 'me@example.com'])(
  '"%s" is not a host',
  (text) => expect(listenHostSchema.safeParse(text).success).toBe(false),
);
