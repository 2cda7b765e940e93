import { asObject, type JsonObject } from './parse-object.ts';

/** Deeper than any schema that people write, and far from where serialising runs out of stack. */
const MAX_DEPTH = 100;

/** @returns the member of the body under which it is nested too deeply to be handled, or null */
export function findTooDeepMember(body: JsonObject): string | null {
  return Object.keys(body).find((key) => isDeeperThan(body[key], MAX_DEPTH)) ?? null;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  return Object.values(asObject(value) ?? {}).some((item) => isDeeperThan(item, levels - 1));
}
