import { Buffer } from 'node:buffer';
import { HeadLines } from './head-lines.ts';
import { MAX_HEADERS, MAX_HEAD_BYTES, type ResponseHead } from './parse-head.ts';

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const COLON = 0x3a;
const ZERO = 0x30;
const VERSION = Buffer.from('HTTP/1.');
/** Offsets in a status line. */
const STATUS_AT = VERSION.length + 2;
const STATUS_END = STATUS_AT + 3;

/** The characters of names, and those of values and reasons, as in `parse-head.ts`. */
const IS_NAME = createTable(/[!#$%&'*+.^_`|~0-9A-Za-z-]/);
const IS_TEXT = createTable(/[\t\x20-\x7e\x80-\xff]/);

function createTable(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => Number(characters.test(String.fromCharCode(code))));
}

/** A head, and the offset after it. */
export interface ScannedHead {
  head: ResponseHead;
  next: number;
}

/**
 * Reads a head that is valid and in one piece, as nearly all are, in one pass without a copy for each line.
 * @param to end of the bytes that have arrived
 * @returns null if it is anything else, so that `HeadReader` must read it line by line
 */
export function scanHead(bytes: Buffer, from: number, to: number): ScannedHead | null {
  const status = from + STATUS_END < to ? readStatus(bytes, from) : 0;
  if (status === 0) return null;
  const places: number[] = [];
  const last = Math.min(to, from + MAX_HEAD_BYTES);
  let at = endOfText(bytes, from + STATUS_END, last);
  // Invariant: `at` is the end of a line.
  while (at + 3 < last && bytes[at] === CR && bytes[at + 1] === LF) {
    const start = at + 2;
    if (bytes[start] === CR && bytes[start + 1] === LF)
      return { head: createHead(bytes, { from, status, end: at, places }), next: start + 2 };
    if (places.length === MAX_HEADERS * 3) return null;
    let colon = start;
    while (IS_NAME[bytes[colon] ?? 0] === 1) colon += 1;
    if (colon === start || bytes[colon] !== COLON) return null;
    at = endOfText(bytes, colon + 1, last);
    places.push(start - from, colon - from, at - from);
  }
  return null;
}

/** @returns the status; 0 if the line does not begin with a version and a status */
function readStatus(bytes: Buffer, from: number): number {
  for (let at = 0; at < VERSION.length; at += 1) if (bytes[from + at] !== VERSION[at]) return 0;
  const minor = (bytes[from + VERSION.length] ?? 0) - ZERO;
  if ((minor !== 0 && minor !== 1) || bytes[from + STATUS_AT - 1] !== SPACE) return 0;
  let status = 0;
  for (let at = from + STATUS_AT; at < from + STATUS_END; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return 0;
    status = status * 10 + digit;
  }
  const after = bytes[from + STATUS_END];
  return status >= 100 && status < 600 && (after === SPACE || after === CR) ? status : 0;
}

function endOfText(bytes: Buffer, from: number, last: number): number {
  let at = from;
  while (at < last && IS_TEXT[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

function createHead(
  bytes: Buffer,
  { from, status, end, places }: { from: number; status: number; end: number; places: readonly number[] },
): ResponseHead {
  const minorVersion = bytes[from + VERSION.length] === ZERO ? 0 : 1;
  return { status, minorVersion, headers: new HeadLines(bytes.toString('latin1', from, end), places) };
}
