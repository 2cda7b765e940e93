export type JsonObject = Record<string, unknown>;

/** @returns the object that the text holds, or null where it is no JSON or no object */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** @returns the value where it is a JSON object (no array), else null */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** A count as reported by a provider: whole, not negative, within 32 bits; else 0. */
export function asCount(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0;
  return Math.min(Math.floor(value), 0x7fffffff);
}
