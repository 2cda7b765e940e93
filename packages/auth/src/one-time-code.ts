import { createHmac, hash, hkdfSync, randomBytes, randomInt } from 'node:crypto';

const CODE_DIGITS = 6;
const TOKEN_BYTES = 32;

export interface LinkToken {
  /** 43 URL-safe characters: emailed or printed once and not stored. */
  token: string;
  hash: Buffer;
}

/** Creates a link token of 32 random bytes. Only its SHA-256 is stored. */
export function mintLinkToken(): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

/** SHA-256 is enough: a token has 256 random bits, so a slow hash adds no security. */
export function hashLinkToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Six random digits, uniformly distributed. */
export function mintCode(): string {
  return randomInt(10 ** CODE_DIGITS)
    .toString()
    .padStart(CODE_DIGITS, '0');
}

/**
 * Hashes the six digits with a key of the installation and the ID of their row: without the key,
 * a copied database does not allow trying all codes, and equal codes have different hashes.
 */
export type CodeHasher = (codeId: string, code: string) => Buffer;

/** @param encryptionKey 32 bytes in base64 (`ENCRYPTION_KEY`); a separate key is derived from it */
export function createCodeHasher(encryptionKey: string): CodeHasher {
  const secret = Buffer.from(encryptionKey, 'base64');
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'tollgate one-time codes', 32));
  return (codeId, code) => createHmac('sha256', key).update(`${codeId}:${code}`).digest();
}
