import { expect, it } from 'vitest';
import { createOriginCheck } from './origins.ts';

it('requires the same scheme, host and port', () => {
  const isOurs = createOriginCheck('https://console.example/base');
  expect(isOurs('https://console.example')).toBe(true);
  for (const origin of [
    'http://console.example',
    'https://console.example:8443',
    'https://console.example.evil.test',
    'https://localhost',
    'null',
    '',
    null,
    undefined,
  ])
    expect([origin, isOurs(origin)]).toEqual([origin, false]);
});

it('treats local host names as equal on the same port', () => {
  const isOurs = createOriginCheck('http://127.0.0.1:3000');
  expect(isOurs('http://localhost:3000')).toBe(true);
  expect(isOurs('http://[::1]:3000')).toBe(true);
  expect(isOurs('http://localhost:3001')).toBe(false);
  expect(isOurs('https://localhost:3000')).toBe(false);
  expect(isOurs('http://127.0.0.1.evil.test:3000')).toBe(false);
});
