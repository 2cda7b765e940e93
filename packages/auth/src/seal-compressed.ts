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

/** Bytes that were sealed with another key or for another place, were changed, or are larger than allowed. */
export class SealBroken extends Error {
  constructor(cause: unknown) {
    super('Sealed bytes cannot be opened', { cause });
    this.name = 'SealBroken';
  }
}

/** Compresses bytes in a worker thread, then encrypts them for one place. */
export async function sealCompressed(sealer: Sealer, bytes: Buffer, context: string): Promise<Buffer> {
  return sealer.seal(await compress(bytes), context);
}

/** @throws SealBroken if key or place differ, or it is larger */
export async function openCompressed(
  sealer: Sealer,
  { sealed, size }: Compressed,
  context: string,
): Promise<Buffer> {
  try {
    return await decompress(sealer.openBytes(sealed, context), size);
  } catch (error) {
    throw new SealBroken(error);
  }
}

/** The same in pieces, for bytes that would take long. */
export async function sealLargeCompressed(sealer: Sealer, bytes: Buffer, context: string): Promise<Buffer> {
  return sealer.sealLarge(await compress(bytes), context);
}

/** @throws SealBroken as `openCompressed` does */
export async function openLargeCompressed(
  sealer: Sealer,
  { sealed, size }: Compressed,
  context: string,
): Promise<Buffer> {
  try {
    return await decompress(await sealer.openLarge(sealed, context), size);
  } catch (error) {
    throw new SealBroken(error);
  }
}

function compress(bytes: Buffer): Promise<Buffer> {
  return deflate(bytes, { level: constants.Z_BEST_SPEED });
}

function decompress(bytes: Buffer, size: number): Promise<Buffer> {
  return inflate(bytes, { maxOutputLength: Math.max(size, 1) });
}
