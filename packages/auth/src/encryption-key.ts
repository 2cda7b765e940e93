import { createHmac, timingSafeEqual } from 'node:crypto';
import { createSealer, type Sealer } from './seal.ts';

const CONSTANT = 'tollgate encryption key check v1';

/** Proves knowledge of a key without revealing it. @param encryptionKey 32 bytes in base64 */
export function computeKeyCheck(encryptionKey: string): Buffer {
  return createHmac('sha256', Buffer.from(encryptionKey, 'base64')).update(CONSTANT).digest();
}

/** Stored data about the key of a database: `withKeyCheck` of the db package. */
export interface KeyCheckStore {
  read(): Promise<Buffer | null>;
  store(value: Buffer): Promise<Buffer>;
  listSealed(): Promise<{ sealed: Buffer; context: string }[]>;
}

/**
 * Checks whether a key belongs to a database. A database without a key check is from an earlier release: its key
 * decrypts at least one of the newest encrypted values, if any.
 * @param options.mayStore true for services: stores the check of a matching key
 */
export async function isKeyOfDatabase(
  encryptionKey: string,
  check: KeyCheckStore,
  options: { mayStore: boolean },
): Promise<boolean> {
  const own = computeKeyCheck(encryptionKey);
  const stored = await check.read();
  if (stored !== null) return timingSafeEqual(stored, own);
  const sealer = createSealer(encryptionKey);
  const samples = await check.listSealed();
  if (samples.length > 0 && !samples.some((sample) => opens(sealer, sample))) return false;
  return options.mayStore ? timingSafeEqual(await check.store(own), own) : true;
}

function opens(sealer: Sealer, { sealed, context }: { sealed: Buffer; context: string }): boolean {
  try {
    sealer.openBytes(sealed, context);
    return true;
  } catch {
    return false;
  }
}
