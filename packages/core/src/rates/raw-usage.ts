/** The longest usage object that is stored whole, in UTF-16 units. */
export const MAX_RAW_USAGE_LENGTH = 8_192;

const TRUNCATED = '… (truncated)';

/** Marks a usage object of which a part is missing. */
export function markTruncated(text: string): string {
  return text + TRUNCATED;
}

/** Cuts a provider's usage object to what is stored, and marks it where anything is missing. */
export function boundRawUsage(text: string): string {
  // No text of PostgreSQL holds NUL or half of a surrogate pair.
  const storable = text.replaceAll('\0', '').toWellFormed();
  if (storable.length <= MAX_RAW_USAGE_LENGTH) return storable;
  return storable.slice(0, MAX_RAW_USAGE_LENGTH - TRUNCATED.length).toWellFormed() + TRUNCATED;
}

/** True: a part of the usage object is missing. */
export function isTruncatedUsage(text: string): boolean {
  return text.endsWith(TRUNCATED);
}
