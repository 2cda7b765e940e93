import { expect, it } from 'vitest';
import { setRetryHeaders } from './retry-headers.ts';

function relayed(given: Record<string, string>): Record<string, string> {
  const set: Record<string, string> = {};
  setRetryHeaders({ setHeader: (name, value) => void (set[name] = value) }, (name) => given[name] ?? null);
  return set;
}

it.each([
  { 'retry-after': '7' },
  { 'retry-after': '0.5' },
  { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' },
  { 'retry-after-ms': '1500' },
  { 'x-should-retry': 'false' },
])('relays a retry header of the standard form: %j', (headers) => {
  expect(relayed(headers)).toEqual(headers);
});

it.each(['retry-after', 'retry-after-ms', 'x-should-retry'])(
  'relays no other text of a provider in %s, which may be a credential',
  (name) => {
    for (const value of ['sk-prov-secret', '7 sk-prov-secret', 'true,sk-prov-secret', '', '-1', '1e3'])
      expect(relayed({ [name]: value })).toEqual({});
  },
);
