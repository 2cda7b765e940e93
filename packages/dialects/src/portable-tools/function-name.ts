import { toShortCallId } from '../call-id.ts';

/** No provider takes a longer name of a function, nor other characters. */
const MAX_NAME = 64;
const NOT_ALLOWED = /[^a-zA-Z0-9_-]/g;
const SEPARATOR = '__';

/**
 * The name of a function that represents a tool of a namespace: `mcp__docs` and `search` make `mcp__docs__search`. The same
 * tool always gets the same name, so that calls in the conversation name a function that is declared.
 */
export function getFunctionName(namespace: string | null, name: string): string {
  const joint = namespace === null || namespace.endsWith(SEPARATOR) ? '' : SEPARATOR;
  const whole = ((namespace ?? '') + joint + name).replace(NOT_ALLOWED, '_');
  if (whole.length <= MAX_NAME) return whole;
  const hash = `_${toShortCallId(whole)}`;
  return whole.slice(0, MAX_NAME - hash.length) + hash;
}
