import type { Sealer } from './seal.ts';
import { openLargeCompressed, sealLargeCompressed, type Compressed } from './seal-compressed.ts';

/** Identity of a stored part; its encryption is bound to it. */
export interface StoredPlace {
  accountId: string;
  /** Of the response. */
  id: string;
  part: 'response' | 'input';
}

/** Seals a part of a stored response. */
export function sealStored(sealer: Sealer, bytes: Buffer, place: StoredPlace): Promise<Buffer> {
  return sealLargeCompressed(sealer, bytes, getContext(place));
}

/** @throws Error if key or identity differ, or it is larger */
export function openStored(sealer: Sealer, stored: Compressed, place: StoredPlace): Promise<Buffer> {
  return openLargeCompressed(sealer, stored, getContext(place));
}

function getContext({ accountId, id, part }: StoredPlace): string {
  return `stored:${accountId}:${id}:${part}`;
}
