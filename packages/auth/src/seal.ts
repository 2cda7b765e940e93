import { createCipheriv, createDecipheriv, randomBytes, type Cipheriv, type Decipheriv } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
/** Large data is encrypted in pieces, one in each turn of the event loop: a piece takes less than a millisecond. */
const PIECE_BYTES = 1024 * 1024;

/** Encrypts secrets at rest with AES-256-GCM: version byte, nonce, tag, ciphertext. */
export interface Sealer {
  /** @param context what the secret belongs to, e.g. `provider:prov_…`; required for decryption */
  seal(plaintext: string | Buffer, context: string): Buffer;
  /** @throws Error if the key or context differ or the bytes were changed */
  open(sealed: Buffer, context: string): string;
  /** Like `open`, for binary data. */
  openBytes(sealed: Buffer, context: string): Buffer;
  /** Like `seal`, without blocking the event loop. @param plaintext not to be changed meanwhile */
  sealLarge(plaintext: Buffer, context: string): Promise<Buffer>;
  /** Like `openBytes`, without blocking the event loop. */
  openLarge(sealed: Buffer, context: string): Promise<Buffer>;
}

/** @param encryptionKey 32 bytes in base64 (`ENCRYPTION_KEY`) */
export function createSealer(encryptionKey: string): Sealer {
  const key = Buffer.from(encryptionKey, 'base64');
  if (key.length !== 32)
    throw new Error('ENCRYPTION_KEY must be 32 bytes in base64: openssl rand -base64 32');
  const decipherFor = (sealed: Buffer, context: string) => {
    if (sealed[0] !== VERSION) throw new Error('A sealed secret has an unknown version');
    const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
    const tag = sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES);
    return createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
  };
  const openBytes = (sealed: Buffer, context: string) => {
    const decipher = decipherFor(sealed, context);
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
  };
  const cipherFor = (context: string) => {
    const nonce = randomBytes(NONCE_BYTES);
    return { nonce, cipher: createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)) };
  };
  return {
    seal(plaintext, context) {
      const { nonce, cipher } = cipherFor(context);
      const body = Buffer.concat([
        cipher.update(typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext),
        cipher.final(),
      ]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
    openBytes,
    async sealLarge(plaintext, context) {
      const { nonce, cipher } = cipherFor(context);
      // In this mode, the ciphertext is as long as the plaintext.
      const sealed = Buffer.allocUnsafeSlow(HEADER_BYTES + plaintext.length);
      await updateInPieces(cipher, plaintext, sealed.subarray(HEADER_BYTES));
      cipher.final();
      Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag()]).copy(sealed);
      return sealed;
    },
    async openLarge(sealed, context) {
      const decipher = decipherFor(sealed, context);
      const opened = Buffer.allocUnsafeSlow(sealed.length - HEADER_BYTES);
      await updateInPieces(decipher, sealed.subarray(HEADER_BYTES), opened);
      decipher.final();
      return opened;
    },
  };
}

async function updateInPieces(cipher: Cipheriv | Decipheriv, from: Buffer, to: Buffer): Promise<void> {
  for (let at = 0; at < from.length; at += PIECE_BYTES) {
    if (at > 0) await nextTurn();
    cipher.update(from.subarray(at, at + PIECE_BYTES)).copy(to, at);
  }
}
