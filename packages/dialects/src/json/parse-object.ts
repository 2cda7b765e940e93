import { assureRoom } from './heap-guard.ts';
import { isNestedDeeper } from './nesting.ts';

export type JsonObject = Record<string, unknown>;

/** Levels that `JSON.stringify` writes again within any stack. No model and no provider nests deeper. */
const MAX_LEVELS = 1_000;

/**
 * @param maxLevels more only for values that are measured and never written again
 * @returns the object in the text; null if it is not JSON, not an object, or nested deeper
 */
export function parseJsonObject(text: string, maxLevels = MAX_LEVELS): JsonObject | null {
  return asObject(parseJson(text, maxLevels));
}

/** @returns the value in the text; undefined if it is not JSON or nested deeper than 1,000 levels */
export function parseJson(text: string, maxLevels = MAX_LEVELS): unknown {
  if (isNestedDeeper(text, maxLevels)) return undefined;
  assureRoom(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns the value if it is a JSON object (no array), else null */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** A count as reported by a provider: whole, not negative, within 32 bits; else 0. */
export function asCount(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0;
  return Math.min(Math.floor(value), 0x7fffffff);
}
