import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { API_KEY_LENGTH, hashApiKey, hashApiKeyHex, isWellFormedApiKey, mintApiKey } from './api-key.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('mintApiKey', () => {
  it('creates a key of 51 characters with hash, prefix and last four characters', () => {
    const minted = mintApiKey();
    expect(minted.key).toMatch(/^sk-[0-9A-Za-z]{48}$/);
    expect(minted.key).toHaveLength(API_KEY_LENGTH);
    expect(minted.hash).toEqual(createHash('sha256').update(minted.key).digest());
    expect(minted.key.startsWith(minted.prefix) && minted.key.endsWith(minted.last4)).toBe(true);
    expect(isWellFormedApiKey(minted.key)).toBe(true);
  });

  it('ends with the base-62 CRC-32 of the preceding characters', () => {
    const { key } = mintApiKey();
    const checksum = key
      .slice(45)
      .split('')
      .reduce((sum, char) => sum * 62 + ALPHABET.indexOf(char), 0);
    expect(checksum).toBe(crc32(key.slice(0, 45)));
  });

  it('creates unique keys', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => mintApiKey().key)).size).toBe(1_000);
  });
});

describe('isWellFormedApiKey', () => {
  it('rejects a key with one changed character', () => {
    const { key } = mintApiKey();
    fc.assert(
      fc.property(fc.nat(API_KEY_LENGTH - 1), fc.constantFrom(...ALPHABET.split('')), (at, char) => {
        fc.pre(key[at] !== char);
        expect(isWellFormedApiKey(key.slice(0, at) + char + key.slice(at + 1))).toBe(false);
      }),
    );
  });

  it.each(['', 'sk-', 'sk-' + 'é'.repeat(48), 'pk-' + '0'.repeat(48), `${mintApiKey().key} `])(
    'refuses %j',
    (text) => {
      expect(isWellFormedApiKey(text)).toBe(false);
    },
  );
});

it('returns the same hash in bytes and in hex', () => {
  const { key } = mintApiKey();
  expect(hashApiKey(key).toString('hex')).toBe(hashApiKeyHex(key));
});
