import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { Sealer } from './seal.ts';

/** Identity of a payload; an encrypted payload is bound to it. */
export interface BodyPlace {
  accountId: string;
  requestId: string;
  side: 'request' | 'answer';
}

/** Maximum decompressed size; larger payloads are never stored. */
const MAX_OPENED_BYTES = 1024 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Compresses a payload in a worker thread, then encrypts it. */
export async function sealBody(sealer: Sealer, body: Buffer, place: BodyPlace): Promise<Buffer> {
  return sealer.seal(await deflate(body, { level: constants.Z_BEST_SPEED }), getContext(place));
}

/**
 * @returns the text, without an incomplete character at the end
 * @throws Error if key or identity differ
 */
export async function openBody(sealer: Sealer, sealed: Buffer, place: BodyPlace): Promise<string> {
  const opened = await inflate(sealer.openBytes(sealed, getContext(place)), {
    maxOutputLength: MAX_OPENED_BYTES,
  });
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(opened, { stream: true });
}

function getContext({ accountId, requestId, side }: BodyPlace): string {
  return `body:${accountId}:${requestId}:${side}`;
}
