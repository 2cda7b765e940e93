/** The longest usage object that is stored whole, in UTF-16 units. */
export const MAX_RAW_USAGE_LENGTH = 8_192;

const TRUNCATED = '… (truncated)';

/** Marks a usage object of which a part is missing. */
export function markTruncated(text: string): string {
  return text + TRUNCATED;
}

/** Cuts the text of a usage object to what can be stored, and marks it if anything is missing. */
export function boundRawUsage(text: string): string {
  // No text of PostgreSQL holds NUL or half of a surrogate pair.
  const storable = (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed();
  if (storable.length <= MAX_RAW_USAGE_LENGTH) return storable;
  return storable.slice(0, MAX_RAW_USAGE_LENGTH - TRUNCATED.length).toWellFormed() + TRUNCATED;
}

/** True: a part of the usage object is missing. */
export function isTruncatedUsage(text: string): boolean {
  return text.endsWith(TRUNCATED);
}
