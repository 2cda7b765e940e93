import { computeShortHash } from '../short-hash.ts';

/** Every provider takes names of functions of this length and these characters. Chat completions take no longer ones. */
export const MAX_NAME = 64;
const NOT_ALLOWED = /[^a-zA-Z0-9_-]/g;
const SEPARATOR = '__';

/**
 * The name of a function that represents a tool of a namespace: `mcp__docs` and `search` make `mcp__docs__search`. The same
 * tool always gets the same name, so that calls in the conversation name a function that is declared.
 */
export function getFunctionName(namespace: string | null, name: string): string {
  return joinFunctionName(getNamePrefix(namespace), name);
}

/**
 * What the names of a namespace's functions begin with. Its length is bounded: callers choose the name of a namespace, and
 * how many tools it has.
 */
export function getNamePrefix(namespace: string | null): string {
  if (namespace === null) return '';
  return shorten(namespace) + (namespace.endsWith(SEPARATOR) ? '' : SEPARATOR);
}

/** @param prefix of its namespace */
export function joinFunctionName(prefix: string, name: string): string {
  return shorten(prefix + name);
}

/** A name that every provider takes: the same one for the same name. */
export function shorten(name: string): string {
  if (name.length <= MAX_NAME) return name.replace(NOT_ALLOWED, '_');
  const hash = `_${computeShortHash(name)}`;
  return name.slice(0, MAX_NAME - hash.length).replace(NOT_ALLOWED, '_') + hash;
}
