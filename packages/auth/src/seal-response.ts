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

/** Maximum decompressed size: more than a request body, the largest part. */
const MAX_OPENED_BYTES = 40 * 1024 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Compresses a part of a stored response in a worker thread, then encrypts it. */
export async function sealStored(sealer: Sealer, bytes: Buffer, place: StoredPlace): Promise<Buffer> {
  return sealer.seal(await deflate(bytes, { level: constants.Z_BEST_SPEED }), getContext(place));
}

/** @throws Error if key or identity differ */
export function openStored(sealer: Sealer, sealed: Buffer, place: StoredPlace): Promise<Buffer> {
  return inflate(sealer.openBytes(sealed, getContext(place)), { maxOutputLength: MAX_OPENED_BYTES });
}

function getContext({ accountId, id, part }: StoredPlace): string {
  return `stored:${accountId}:${id}:${part}`;
}
