import { hash, randomBytes } from 'node:crypto';

/**
 * An API key is `sk-`, 42 random base-62 characters, and 6 characters with the CRC-32 of all preceding ones,
 * so that a mistyped key is rejected without a database lookup. Only its SHA-256 is stored.
 */
const PREFIX = 'sk-';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 42;
const CHECKSUM_CHARS = 6;
const BODY_CHARS = PREFIX.length + RANDOM_CHARS;
export const API_KEY_LENGTH = BODY_CHARS + CHECKSUM_CHARS;
const PATTERN = /^sk-[0-9A-Za-z]{48}$/;
/** Largest multiple of 62 in a byte; higher values would favor the first characters. */
const UNBIASED_BYTES = 248;

export interface MintedApiKey {
  /** The secret: shown once and not stored. */
  key: string;
  hash: Buffer;
  /** The first seven characters, for display. */
  prefix: string;
  last4: string;
}

export function mintApiKey(): MintedApiKey {
  let body = PREFIX;
  while (body.length < BODY_CHARS) {
    for (const byte of randomBytes(64)) {
      if (byte < UNBIASED_BYTES && body.length < BODY_CHARS) body += ALPHABET.charAt(byte % 62);
    }
  }
  const key = body + computeChecksum(body);
  return { key, hash: hashApiKey(key), prefix: key.slice(0, 7), last4: key.slice(-4) };
}

/** True if format and checksum are valid. */
export function isWellFormedApiKey(key: string): boolean {
  return (
    key.length === API_KEY_LENGTH &&
    PATTERN.test(key) &&
    key.endsWith(computeChecksum(key.slice(0, BODY_CHARS)))
  );
}

/** SHA-256 is enough: a key has 250 random bits, so a slow hash adds no security. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** {@link hashApiKey} in hex: identifies a key in caches and notifications. */
export function hashApiKeyHex(key: string): string {
  return hash('sha256', key, 'hex');
}

function computeChecksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

// CRC-32 of ISO 3309, reflected polynomial 0xEDB88320, table-driven. Runtimes other than Node lack zlib.crc32.
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** CRC-32 of an ASCII string, as an unsigned integer. */
function crc32(ascii: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < ascii.length; i++)
    crc = (CRC_TABLE[(crc ^ ascii.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
