import { expect, it } from 'vitest';
import { localUrl } from './local-address.ts';

it.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['fd00::1', 'http://[fd00::1]:80'],
  ['10.1.2.3', 'http://10.1.2.3:80'],
  ['gateway.internal', 'http://gateway.internal:80'],
])('a service that listens on %s is reached at %s', (host, url) => expect(localUrl(host, 80)).toBe(url));
