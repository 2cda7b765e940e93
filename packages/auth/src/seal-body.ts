import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { Sealer } from './seal.ts';

/** Which body it is; sealed ones cannot change places. */
export interface BodyPlace {
  accountId: string;
  requestId: string;
  side: 'request' | 'answer';
}

/** What one body may unfold to; nothing larger is ever kept. */
const MAX_OPENED_BYTES = 1024 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Deflates a body, on a thread of its own since that is most of the work, and seals it: what is sealed does not get smaller. */
export async function sealBody(sealer: Sealer, body: Buffer, place: BodyPlace): Promise<Buffer> {
  return sealer.seal(await deflate(body, { level: constants.Z_BEST_SPEED }), contextOf(place));
}

/**
 * @returns the text of a body; without the rest of a character that it was cut in
 * @throws Error where it was sealed by another key or for another place
 */
export async function openBody(sealer: Sealer, sealed: Buffer, place: BodyPlace): Promise<string> {
  const opened = await inflate(sealer.openBytes(sealed, contextOf(place)), {
    maxOutputLength: MAX_OPENED_BYTES,
  });
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(opened, { stream: true });
}

function contextOf({ accountId, requestId, side }: BodyPlace): string {
  return `body:${accountId}:${requestId}:${side}`;
}
