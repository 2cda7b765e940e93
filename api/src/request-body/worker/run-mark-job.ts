import { Buffer } from 'node:buffer';
import { parsedSize } from '@tollgate/dialects/json/parsed-size';
import { markLarge, type MarkedPlaces, type MarkSource } from '../../stored/mark-large.ts';
import { freeMemory } from './free-memory.ts';
import { MAX_PARSED_BYTES } from './max-parsed-bytes.ts';

/** Writes into a large response that it is stored. Its bytes move to the thread. */
export interface MarkJob extends MarkSource {
  kind: 'mark';
  body: Uint8Array<ArrayBuffer>;
}

export interface MarkJobAnswer {
  /** Marked; empty if there is no response in them, or it is too large for the thread. */
  body: Uint8Array<ArrayBuffer>;
  places: MarkedPlaces | null;
}

/** Runs the job in the calling thread. */
export function runMarkJob({ body, ...source }: MarkJob): MarkJobAnswer {
  const given = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const { bytes, places } =
    parsedSize(given) > MAX_PARSED_BYTES ? { bytes: given, places: null } : markLarge(given, source);
  const marked = places === null ? new Uint8Array(0) : new Uint8Array(bytes);
  freeMemory(body);
  return { body: marked, places };
}
