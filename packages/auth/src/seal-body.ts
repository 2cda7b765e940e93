import type { Sealer } from './seal.ts';
import { openCompressed, sealCompressed } from './seal-compressed.ts';

/** Identity of a payload; an encrypted payload is bound to it. */
export interface BodyPlace {
  accountId: string;
  requestId: string;
  side: 'request' | 'answer';
}

/** Maximum decompressed size; larger payloads are never stored. */
const MAX_OPENED_BYTES = 1024 * 1024;

/** Seals a payload. */
export function sealBody(sealer: Sealer, body: Buffer, place: BodyPlace): Promise<Buffer> {
  return sealCompressed(sealer, body, getContext(place));
}

/**
 * @returns the text, without an incomplete character at the end
 * @throws Error if key or identity differ
 */
export async function openBody(sealer: Sealer, sealed: Buffer, place: BodyPlace): Promise<string> {
  const opened = await openCompressed(sealer, { sealed, size: MAX_OPENED_BYTES }, getContext(place));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(opened, { stream: true });
}

function getContext({ accountId, requestId, side }: BodyPlace): string {
  return `body:${accountId}:${requestId}:${side}`;
}
