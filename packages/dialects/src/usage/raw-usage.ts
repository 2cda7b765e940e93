import { Buffer } from 'node:buffer';
import { markTruncated } from '@tollgate/core/rates/raw-usage';
import type { JsonObject } from '../json/parse-object.ts';

const MAX_BYTES = 8 * 1024;
const MAX_MEMBER_BYTES = 1024;
/** What PostgreSQL's jsonb rejects: NUL, and halves of surrogate pairs, which `JSON.stringify` escapes. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * Writes the provider's usage object as compact JSON of at most 8 KiB. Of a larger one, members above 1 KiB are left out,
 * and the text is marked as truncated.
 * @returns null where it is still too large, or cannot be stored as jsonb
 */
export function writeRawUsage(raw: JsonObject): string | null {
  const text = JSON.stringify(raw);
  if (isStorable(text)) return text;
  const small = Object.entries(raw).filter(
    ([, value]) => value !== undefined && Buffer.byteLength(JSON.stringify(value)) <= MAX_MEMBER_BYTES,
  );
  const rest = markTruncated(JSON.stringify(Object.fromEntries(small)));
  return isStorable(rest) ? rest : null;
}

function isStorable(text: string): boolean {
  return text.length <= MAX_BYTES && Buffer.byteLength(text) <= MAX_BYTES && !UNSTORABLE.test(text);
}
