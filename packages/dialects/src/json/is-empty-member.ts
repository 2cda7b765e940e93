import type { Buffer } from 'node:buffer';
import { skipToValue } from './skip-to-value.ts';

const BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_N = 0x6e;

/** True if the value of the key that ends at `keyEnd` is null or an empty list. */
export function isEmptyMember(json: Buffer, keyEnd: number): boolean {
  const start = skipToValue(json, keyEnd);
  return json[start] === LOWER_N || (json[start] === BRACKET && json[start + 1] === CLOSE_BRACKET);
}
