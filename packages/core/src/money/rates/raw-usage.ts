/** Maximum size of a stored usage object, in UTF-16 units. */
export const MAX_RAW_USAGE_LENGTH = 8_192;

const TRUNCATED = '… (truncated)';

/** Marks a truncated usage object. */
export function markTruncated(text: string): string {
  return text + TRUNCATED;
}

/** Truncates and marks the text of a usage object so that it can be stored. */
export function boundRawUsage(text: string): string {
  // PostgreSQL text cannot contain NUL or lone surrogates.
  const storable = (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed();
  if (storable.length <= MAX_RAW_USAGE_LENGTH) return storable;
  return storable.slice(0, MAX_RAW_USAGE_LENGTH - TRUNCATED.length).toWellFormed() + TRUNCATED;
}

/** True if the usage object was truncated. */
export function isTruncatedUsage(text: string): boolean {
  return text.endsWith(TRUNCATED);
}
