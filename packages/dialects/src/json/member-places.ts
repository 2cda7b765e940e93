import type { Buffer } from 'node:buffer';
import { endOfString } from './end-of-string.ts';

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

/**
 * Offsets of the members of an object in its bytes: of each member the quote before its name, the byte after the
 * closing quote, the start of its value, and the byte after the value. It can be sent to another thread.
 */
export type MemberPlaces = readonly number[];

export const PLACES_OF_MEMBER = 4;

/** @param json a valid JSON object, checked by the caller's JSON.parse */
export function readMemberPlaces(json: Buffer): MemberPlaces {
  const places: number[] = [];
  let at = json.indexOf(OPEN_BRACE) + 1;
  for (;;) {
    const nameStart = skipSpace(json, at);
    if (json[nameStart] !== QUOTE) return places;
    const nameEnd = endOfString(json, nameStart);
    const colon = skipSpace(json, nameEnd);
    const valueStart = skipSpace(json, colon + 1);
    const valueEnd = skipValue(json, valueStart);
    places.push(nameStart, nameEnd, valueStart, valueEnd);
    at = skipSpace(json, valueEnd);
    if (json[at] !== COMMA) return places;
    at += 1;
  }
}

/**
 * Finds the entries of a list.
 * @param json valid JSON, checked by the caller's JSON.parse
 * @param start the offset of the list
 * @returns the offsets of each entry and of the byte after it; none if the value is not a list
 */
export function readEntryPlaces(json: Buffer, start: number): number[] {
  const places: number[] = [];
  if (json[start] !== OPEN_BRACKET) return places;
  let at = start + 1;
  for (;;) {
    const entryStart = skipSpace(json, at);
    if (json[entryStart] === CLOSE_BRACKET || entryStart >= json.length) return places;
    const entryEnd = skipValue(json, entryStart);
    places.push(entryStart, entryEnd);
    at = skipSpace(json, entryEnd);
    if (json[at] !== COMMA) return places;
    at += 1;
  }
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && (json[at] ?? 0) <= 0x20) at += 1;
  return at;
}

/** @returns the offset behind a value that starts at `start` */
function skipValue(json: Buffer, start: number): number {
  const first = json[start];
  if (first === QUOTE) return endOfString(json, start);
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = endOfString(json, at);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return trimEnd(json, at);
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return trimEnd(json, at);
    at += 1;
  }
  return at;
}

function trimEnd(json: Buffer, end: number): number {
  let at = end;
  while ((json[at - 1] ?? 0) <= 0x20) at -= 1;
  return at;
}
