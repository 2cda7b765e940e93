import { boundRawUsage, markTruncated, MAX_RAW_USAGE_LENGTH } from '@tollgate/core/money/rates/raw-usage';
import type { JsonObject } from '../json/parse-object.ts';
import { toStorableUsage } from './storable-usage.ts';

/** Of a usage object that is too large, members above this length are left out first: the counts are small. */
const MAX_MEMBER_LENGTH = 1024;

/**
 * Writes the provider's usage object as compact JSON that fits what is stored. Of a larger one, large members are left out, then
 * the end is cut off, and the text is marked as truncated.
 * @param redact removes credentials from a text
 */
export function writeRawUsage(reported: JsonObject, redact: (text: string) => string): string {
  const raw = toStorableUsage(reported, redact);
  const text = JSON.stringify(raw);
  if (text.length <= MAX_RAW_USAGE_LENGTH) return text;
  const small = Object.entries(raw).filter(
    ([, value]) => value !== undefined && JSON.stringify(value).length <= MAX_MEMBER_LENGTH,
  );
  return boundRawUsage(markTruncated(JSON.stringify(Object.fromEntries(small))));
}
