import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;

/** Encrypts secrets at rest with AES-256-GCM: version byte, nonce, tag, ciphertext. */
export interface Sealer {
  /** @param context what the secret belongs to, e.g. `provider:prov_…`; required for decryption */
  seal(plaintext: string | Buffer, context: string): Buffer;
  /** @throws Error if the key or context differ or the bytes were changed */
  open(sealed: Buffer, context: string): string;
  /** Like `open`, for binary data. */
  openBytes(sealed: Buffer, context: string): Buffer;
}

/** @param encryptionKey 32 bytes in base64 (`ENCRYPTION_KEY`) */
export function createSealer(encryptionKey: string): Sealer {
  const key = Buffer.from(encryptionKey, 'base64');
  if (key.length !== 32)
    throw new Error('ENCRYPTION_KEY must be 32 bytes in base64: openssl rand -base64 32');
  const openBytes = (sealed: Buffer, context: string) => {
    if (sealed[0] !== VERSION) throw new Error('A sealed secret has an unknown version');
    const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
    const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
    const body = decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([body, decipher.final()]);
  };
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([
        cipher.update(typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext),
        cipher.final(),
      ]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
    openBytes,
  };
}
