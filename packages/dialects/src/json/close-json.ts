import type { Buffer } from 'node:buffer';
import { endOfString } from './end-of-string.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** A JSON text of which the end may have been missing. */
export interface ClosedJson {
  /** It can be parsed if the beginning was right. */
  text: string;
  /** The top-level member in whose value the text ended; null: none. */
  openMember: string | null;
}

/**
 * Closes the beginning of a JSON text: strings, lists and objects that were open end there. What is not known without
 * the rest is left out: a name without a value, and a number or a word that the end may have cut.
 */
export function closeJson(json: Buffer): ClosedJson {
  const closers: ('}' | ']')[] = [];
  /** The offset up to which everything is whole, except what is open. */
  let whole = 0;
  let expectsName = false;
  let openMember: string | null = null;
  let at = 0;
  while (at < json.length) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      const isClosed = endsString(json, at, end);
      if (!expectsName && !isClosed) return { text: closeText(json, closers, '"'), openMember };
      if (!isClosed) break;
      if (!expectsName) whole = end;
      else if (closers.length === 1) openMember = json.toString('utf8', at + 1, end - 1);
      at = end;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      closers.push(byte === OPEN_BRACE ? '}' : ']');
      expectsName = byte === OPEN_BRACE;
      at += 1;
      whole = at;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      closers.pop();
      expectsName = false;
      at += 1;
      whole = at;
      if (closers.length === 0) break;
    } else if (byte === COMMA) {
      expectsName = closers.at(-1) === '}';
      at += 1;
    } else if (byte === COLON) {
      expectsName = false;
      at += 1;
    } else if (byte <= 0x20) at += 1;
    else {
      at = endOfWord(json, at);
      if (at < json.length) whole = at;
    }
    if (closers.length === 1 && whole === at) openMember = null;
  }
  return { text: closeText(json.subarray(0, whole), closers, ''), openMember };
}

/** True if a string that was found from `start` to `end` has its closing quote. */
function endsString(json: Buffer, start: number, end: number): boolean {
  if (end - 1 <= start || json[end - 1] !== QUOTE) return false;
  let first = end - 1;
  while (json[first - 1] === BACKSLASH) first -= 1;
  return (end - 1 - first) % 2 === 0;
}

/** @returns the offset behind a number, `true`, `false` or `null` */
function endOfWord(json: Buffer, start: number): number {
  let at = start;
  while (at < json.length) {
    const byte = json[at] ?? 0;
    if (byte <= 0x20 || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) break;
    at += 1;
  }
  return at;
}

function closeText(json: Buffer, closers: readonly string[], quote: '"' | ''): string {
  // The decoder keeps back the bytes of a character that is not whole.
  const decoded = new TextDecoder().decode(json, { stream: true });
  const text = quote === '' ? decoded : withoutCutEscape(decoded);
  return text + quote + closers.toReversed().join('');
}

const CUT_UNICODE = /u[0-9a-fA-F]{0,3}$/;

/** Removes an escape that the end has cut. Looks only at the end: a search of the whole text would be slow. */
function withoutCutEscape(text: string): string {
  const end = text.length - (CUT_UNICODE.exec(text.slice(-4))?.[0].length ?? 0);
  return endsWithEscape(text, end) ? text.slice(0, end - 1) : text;
}

/** True if the text has an odd number of backslashes before `end`. */
function endsWithEscape(text: string, end: number): boolean {
  let first = end;
  while (text[first - 1] === '\\') first -= 1;
  return (end - first) % 2 === 1;
}
