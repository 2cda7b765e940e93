import { hashApiKeyHex, mintApiKey } from '@tollgate/auth/api-key';
import pino from 'pino';
import { beforeEach, expect, it } from 'vitest';
import type { Exchange, HeaderFindings } from '../exchange.ts';
import { authenticate } from './authenticate.ts';
import type { CachedKey, KeyCache } from './key-cache.ts';

const { key } = mintApiKey();
const HASH = hashApiKeyHex(key);
let found: CachedKey | null;
let asked: string[];
let findings: HeaderFindings;
let headersRead: number;

beforeEach(() => {
  found = { hashHex: HASH, revokedAt: null, expiresAt: null } as CachedKey;
  asked = [];
  headersRead = 0;
  findings = { keyHash: null };
});

const keys = {
  find: (hash: string) => {
    asked.push(hash);
    return found;
  },
} as unknown as KeyCache;
const options = {
  keys,
  clock: { nowMs: () => 0 },
  log: pino({ enabled: false }),
  isRefusing: () => false,
};

function send(presented: string) {
  const header = (name: string) => {
    headersRead += 1;
    return name === 'authorization' ? `Bearer ${presented}` : null;
  };
  return authenticate({ header, findings } as Exchange, options);
}

it('finds the hash of a key once for requests that share their headers, and the key for each of them', () => {
  expect(send(key)).toMatchObject({ ok: true });
  expect(findings).toEqual({ keyHash: HASH });
  const readBefore = headersRead;
  expect(send(key)).toMatchObject({ ok: true });
  expect(headersRead).toBe(readBefore);
  expect(asked).toEqual([HASH, HASH]);
});

it('refuses a key that was revoked after an earlier request with the same headers', () => {
  expect(send(key)).toMatchObject({ ok: true });
  found = { ...(found as CachedKey), revokedAt: new Date(0) };
  expect(send(key)).toMatchObject({ ok: false, error: { code: 'revoked_api_key' } });
  found = null;
  expect(send(key)).toMatchObject({ ok: false, error: { code: 'invalid_api_key' } });
});

it('remembers nothing of what cannot be a key', () => {
  expect(send(`${key.slice(0, -1)}!`)).toMatchObject({ ok: false, error: { code: 'malformed_api_key' } });
  expect([findings, asked]).toEqual([{ keyHash: null }, []]);
});
