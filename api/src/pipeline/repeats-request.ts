import { Buffer } from 'node:buffer';
import { listQuotes } from '@tollgate/dialects/forbidden-cause';

/** A larger body is not searched, which would block the event loop. */
const MAX_REQUEST_BYTES = 1024 * 1024;
/** Letters and digits of a run that is no coincidence. */
const RUN_LENGTH = 16;
/** Every run contains one of the parts of this length that begin at each step. */
const STEP = RUN_LENGTH / 2;
const PART_LENGTH = STEP + 1;
/** Letters and digits between quotation marks. */
const MIN_QUOTE_LENGTH = 4;
/** Of all searches for such quotes together: a message with many of them counts as one that repeats the request. */
const MAX_QUOTE_SEARCH = 2 * 1024 * 1024;

/**
 * True if a provider's message may repeat text of the request. Case, punctuation and escapes do not matter.
 * @param request.names names of the model, which are recorded with the request anyway
 * @param request.letters those of the body, if several messages are compared
 * @returns null if the body is too large to be searched
 */
export function repeatsRequest(
  message: string,
  { body, names, letters }: { body: Buffer; names: readonly string[]; letters?: SentLetters },
): boolean | null {
  if (body.length > MAX_REQUEST_BYTES) return null;
  const own = names.reduce((text, name) => (name === '' ? text : text.replaceAll(name, ' ')), message);
  const said = toLetters(own);
  const quotes = new Set(
    listQuotes(own)
      .map(toLetters)
      .filter((quote) => quote.length >= MIN_QUOTE_LENGTH),
  );
  if (quotes.size === 0 && said.length < RUN_LENGTH) return false;
  const { text } = letters ?? new SentLetters(body);
  if (quotes.size > 1 && quotes.size * text.length > MAX_QUOTE_SEARCH) return true;
  for (const quote of quotes) if (text.includes(quote)) return true;
  return sharesRun(text, said);
}

/** The letters of a body, for several searches. */
export class SentLetters {
  readonly #body: Buffer;
  #text: string | null = null;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get text(): string {
    return (this.#text ??= toLetters(this.#body.toString('utf8')));
  }
}

/**
 * The message is short, so its runs are looked up with those of the text, in one pass over it. Of the parts of the text, few
 * begin like one of the message, and only these are cut out of it.
 */
function sharesRun(text: string, said: string): boolean {
  const parts = listRuns(said, PART_LENGTH);
  const runs = listRuns(said, RUN_LENGTH);
  if (runs.size === 0) return false;
  const starts = new Uint8Array(STARTS);
  for (const part of parts) starts[hashStart(part, 0)] = 1;
  for (let at = 0; at + PART_LENGTH <= text.length; at += STEP) {
    if (starts[hashStart(text, at)] === 0 || !parts.has(text.slice(at, at + PART_LENGTH))) continue;
    for (let start = Math.max(0, at + PART_LENGTH - RUN_LENGTH); start <= at; start += 1)
      if (runs.has(text.slice(start, start + RUN_LENGTH))) return true;
  }
  return false;
}

const STARTS = 2 ** 16;

/** A number for the first four characters of a part. */
function hashStart(text: string, at: number): number {
  let hash = 0;
  for (let next = at; next < at + 4; next += 1) hash = Math.imul(hash, 251) + text.charCodeAt(next);
  return (hash ^ (hash >>> 16)) & (STARTS - 1);
}

function listRuns(text: string, length: number): Set<string> {
  const count = Math.max(0, text.length - length + 1);
  return new Set(Array.from({ length: count }, (_, at) => text.slice(at, at + length)));
}

const BACKSLASH = 0x5c;
const ESCAPED_BLANKS = 'bfnrt';
const HEX = /^[\da-f]{4}$/;
const LETTER = /[\p{L}\p{N}]/u;
const [DIGIT_0, DIGIT_9, LETTER_A, LETTER_Z, FIRST_OTHER] = [0x30, 0x39, 0x61, 0x7a, 0x80];

/**
 * Letters and digits in lower case; escapes of JSON are resolved, also if a text was escaped several times. One pass: a regular
 * expression would read a row of backslashes again from each of them.
 */
function toLetters(text: string): string {
  const lower = text.toLowerCase();
  const letters = new Uint16Array(lower.length);
  let length = 0;
  for (let at = 0; at < lower.length; at += 1) {
    let code = lower.charCodeAt(at);
    if (code === BACKSLASH) {
      while (lower.charCodeAt(at + 1) === BACKSLASH) at += 1;
      const next = lower.charAt(at + 1);
      const hex = next === 'u' ? lower.slice(at + 2, at + 6) : '';
      if (HEX.test(hex)) {
        code = String.fromCharCode(Number.parseInt(hex, 16)).toLowerCase().charCodeAt(0);
        at += 5;
      } else if (next !== '' && ESCAPED_BLANKS.includes(next)) at += 1;
    }
    if (isLetter(code)) letters[length++] = code;
  }
  return Buffer.from(letters.buffer, 0, length * Uint16Array.BYTES_PER_ELEMENT).toString('utf16le');
}

/** By character code: 1 for a letter or a digit, 2 for none, 0 if not known yet. Testing each character anew takes longer. */
const kinds = new Uint8Array(2 ** 16);

/** @param code of a character in lower case; halves of pairs count as letters */
function isLetter(code: number): boolean {
  if (code < FIRST_OTHER)
    return (code >= LETTER_A && code <= LETTER_Z) || (code >= DIGIT_0 && code <= DIGIT_9);
  if (kinds[code] === 0)
    kinds[code] = (code & 0xf800) === 0xd800 || LETTER.test(String.fromCharCode(code)) ? 1 : 2;
  return kinds[code] === 1;
}
