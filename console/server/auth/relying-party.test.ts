import { expect, it } from 'vitest';
import { getRelyingParty } from './relying-party.ts';

it.each([
  ['https://console.example.com', { id: 'console.example.com', origin: 'https://console.example.com' }],
  [
    'https://console.example.com:8443',
    { id: 'console.example.com', origin: 'https://console.example.com:8443' },
  ],
  ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://[::1]:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  // Neither plain http nor an address can have passkeys.
  ['http://console.example.com', null],
  ['https://10.0.0.5', null],
  ['https://[2001:db8::1]', null],
])('under %s passkeys belong to the right name', (url, party) => {
  expect(getRelyingParty(url)).toEqual(party);
});
