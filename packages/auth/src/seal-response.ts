import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { Sealer } from './seal.ts';

/** Identity of a stored part; its encryption is bound to it. */
export interface StoredPlace {
  accountId: string;
  /** Of the response. */
  id: string;
  part: 'response' | 'input';
}

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Compresses a part of a stored response in a worker thread, then encrypts it in pieces. */
export async function sealStored(sealer: Sealer, bytes: Buffer, place: StoredPlace): Promise<Buffer> {
  return sealer.sealLarge(await deflate(bytes, { level: constants.Z_BEST_SPEED }), getContext(place));
}

/** @param size the maximum when decompressed, in bytes. @throws Error if key or identity differ, or it is larger */
export async function openStored(
  sealer: Sealer,
  { sealed, size }: { sealed: Buffer; size: number },
  place: StoredPlace,
): Promise<Buffer> {
  return inflate(await sealer.openLarge(sealed, getContext(place)), { maxOutputLength: Math.max(size, 1) });
}

function getContext({ accountId, id, part }: StoredPlace): string {
  return `stored:${accountId}:${id}:${part}`;
}
