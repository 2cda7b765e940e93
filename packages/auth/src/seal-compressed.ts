import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { Sealer } from './seal.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Bytes that were compressed and then encrypted. */
export interface Compressed {
  sealed: Buffer;
  /** The maximum when decompressed, in bytes. */
  size: number;
}

/** Compresses bytes in a worker thread, then encrypts them for one place. */
export async function sealCompressed(sealer: Sealer, bytes: Buffer, context: string): Promise<Buffer> {
  return sealer.seal(await compress(bytes), context);
}

/** @throws Error if key or place differ, or it is larger */
export function openCompressed(
  sealer: Sealer,
  { sealed, size }: Compressed,
  context: string,
): Promise<Buffer> {
  return decompress(sealer.openBytes(sealed, context), size);
}

/** The same in pieces, for bytes that would take long. */
export async function sealLargeCompressed(sealer: Sealer, bytes: Buffer, context: string): Promise<Buffer> {
  return sealer.sealLarge(await compress(bytes), context);
}

/** @throws Error as `openCompressed` does */
export async function openLargeCompressed(
  sealer: Sealer,
  { sealed, size }: Compressed,
  context: string,
): Promise<Buffer> {
  return decompress(await sealer.openLarge(sealed, context), size);
}

function compress(bytes: Buffer): Promise<Buffer> {
  return deflate(bytes, { level: constants.Z_BEST_SPEED });
}

function decompress(bytes: Buffer, size: number): Promise<Buffer> {
  return inflate(bytes, { maxOutputLength: Math.max(size, 1) });
}
