import { Buffer } from 'node:buffer';

/** Search limit: the name is needed only for the record. */
const MAX_BYTES_BEFORE_MODEL = 256 * 1024;
const MAX_NAME_BYTES = 1_000;
const NAME = Buffer.from('"model"');
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, CLOSE_BRACKET] = [0x7b, 0x5b, 0x7d, 0x5d];

/**
 * The model that an invalid body names, for its record. The body need not be JSON as a whole: only what comes before the name
 * has to be.
 * @returns null if it names none, or its memory has moved to a thread
 */
export function findNamedModel(body: Buffer): string | null {
  if (body.length === 0) return null;
  const bytes = body.subarray(0, MAX_BYTES_BEFORE_MODEL);
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    else if (byte === QUOTE) {
      const end = findEnd(bytes, at);
      const value = depth === 1 && bytes.subarray(at, end).equals(NAME) ? findValue(bytes, end) : -1;
      if (value !== -1) return readText(bytes.subarray(value, findEnd(bytes, value)));
      at = end - 1;
    }
  }
  return null;
}

/** The position after a string that starts with a quotation mark. */
function findEnd(bytes: Buffer, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = bytes.indexOf(QUOTE, at);
    if (at === -1) return bytes.length;
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
}

/** @returns -1 if no string follows as the value of the member */
function findValue(bytes: Buffer, from: number): number {
  const colon = skipBlanks(bytes, from);
  const value = skipBlanks(bytes, colon + 1);
  return bytes[colon] === COLON && bytes[value] === QUOTE ? value : -1;
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at += 1;
  return at;
}

function readText(literal: Buffer): string | null {
  if (literal.length > MAX_NAME_BYTES) return null;
  try {
    const name: unknown = JSON.parse(literal.toString('utf8'));
    return typeof name === 'string' && name !== '' ? name : null;
  } catch {
    return null;
  }
}
