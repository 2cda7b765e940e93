import { createHmac, hash, hkdfSync, randomBytes, randomInt } from 'node:crypto';

const CODE_DIGITS = 6;
const TOKEN_BYTES = 32;

export interface LinkToken {
  /** 43 characters that are safe in a URL: mailed or printed once, then forgotten. */
  token: string;
  hash: Buffer;
}

/** Mints the token of a link: 32 random bytes, of which only the SHA-256 is stored. */
export function mintLinkToken(): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

/** SHA-256: a token has 256 random bits, so a slow hash would add nothing. */
export function hashLinkToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Six random digits, each code as likely as the others. */
export function mintCode(): string {
  return randomInt(10 ** CODE_DIGITS)
    .toString()
    .padStart(CODE_DIGITS, '0');
}

/**
 * Hashes the six digits under a key of the installation and the id of the row they are stored in: without the key
 * the million codes cannot be tried against a copied database, and equal codes look different.
 */
export type CodeHasher = (codeId: string, code: string) => Buffer;

/** @param encryptionKey 32 bytes in base64 (`ENCRYPTION_KEY`); a key of its own is derived from it */
export function createCodeHasher(encryptionKey: string): CodeHasher {
  const secret = Buffer.from(encryptionKey, 'base64');
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'tollgate one-time codes', 32));
  return (codeId, code) => createHmac('sha256', key).update(`${codeId}:${code}`).digest();
}
