import {
  BACKSLASH,
  BODY,
  BRACKETS,
  COLON,
  LETTER_U,
  OPEN_OBJECT,
  QUOTE,
  SCHEME_SIGNS,
  SLASH,
} from './layout';
import { ENTRY_LEVEL, isFirstOfRole, noteRole, startEntries } from './entries';
import { isName, readHex } from './texts';

/** Nothing of a member of the body is cut. */
const WHOLE: u32 = 0;
/** The texts in its list are cut; the first ones keep more. */
const CONVERSATION: u32 = 1;
/** Its texts keep more. */
const INSTRUCTIONS: u32 = 2;
/** Bytes that a text keeps at its begin, if it is cut. */
const TEXT_HEAD: u32 = 32;
/** Of content that may be an address. */
const CONTENT_HEAD: u32 = 640;
/** Of texts that a conversation is recognized by. 1,024 and 256 characters have no more bytes. */
const SAMPLE_UNITS: u32 = 1024;
const SAMPLE_TAIL: usize = 1536;
/** The same of a text in ASCII without escapes. */
const PLAIN_SAMPLE_TAIL: usize = 320;
/** In place of what is cut of them are dots, as many as its bytes modulo this. */
const FILLER: u32 = 256;
const DOT: u8 = 0x2e;
/** Only of longer texts something is cut. */
const LEAST_CUT: u32 = 32;
/** Blanks before an address, and characters of its scheme, that are read at most. */
const MAX_BLANKS: usize = 64;
const MAX_SCHEME: usize = 2048;

let mode: u32 = WHOLE;
/** From here on, bytes are kept that are not written yet. */
let keptFrom: usize = BODY;
export let writtenTo: usize = BODY;

const SIGNS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-';

export function prepareCuts(): void {
  for (let at = 0; at < SIGNS.length; at += 1) store<u8>(SCHEME_SIGNS + SIGNS.charCodeAt(at), 1);
}

export function startCuts(): void {
  mode = WHOLE;
  keptFrom = BODY;
  writtenTo = BODY;
}

/** A member of the body begins. */
export function startMember(start: usize, size: u32): void {
  mode = findMode(start, size);
  startEntries();
}

/** How the texts of a member of the body are cut. */
function findMode(start: usize, length: u32): u32 {
  if (isName(start, length, 'messages') || isName(start, length, 'input')) return CONVERSATION;
  if (isName(start, length, 'system') || isName(start, length, 'instructions')) return INSTRUCTIONS;
  return WHOLE;
}

/** True for a member whose text nothing reads further than its begin. */
function isText(start: usize, length: u32): bool {
  switch (length) {
    case 4:
      return isName(start, length, 'text') || isName(start, length, 'code');
    case 5:
      return isName(start, length, 'input') || isName(start, length, 'patch');
    case 6:
      return (
        isName(start, length, 'output') || isName(start, length, 'system') || isName(start, length, 'prompt')
      );
    case 7:
      return (
        isName(start, length, 'content') ||
        isName(start, length, 'command') ||
        isName(start, length, 'new_str') ||
        isName(start, length, 'old_str')
      );
    case 8:
      return isName(start, length, 'thinking');
    case 9:
      return (
        isName(start, length, 'arguments') ||
        isName(start, length, 'file_text') ||
        isName(start, length, 'reasoning')
      );
    case 10:
      return isName(start, length, 'new_string') || isName(start, length, 'old_string');
    case 12:
      return isName(start, length, 'instructions');
    case 17:
      return isName(start, length, 'reasoning_content');
    default:
      return false;
  }
}

/** True for a member whose text may be content or its address. */
function isContent(start: usize, length: u32): bool {
  switch (length) {
    case 3:
      return isName(start, length, 'url');
    case 4:
      return isName(start, length, 'data');
    case 9:
      return (
        isName(start, length, 'image_url') ||
        isName(start, length, 'file_data') ||
        isName(start, length, 'signature')
      );
    case 17:
      return isName(start, length, 'encrypted_content');
    default:
      return false;
  }
}

/**
 * Cuts the middle out of a text, if it is one that is not read.
 * @param level of the container of the text
 */
export function cut(start: usize, close: usize, name: usize, size: u32, level: u32): void {
  if (mode == WHOLE) return;
  if (close - start <= TEXT_HEAD + LEAST_CUT) {
    if (level == ENTRY_LEVEL && isName(name, size, 'role')) noteRole(start, (close - start) as u32);
    return;
  }
  // The name of a list may be overwritten already.
  if (<u32>load<u8>(BRACKETS + level) != OPEN_OBJECT) return;
  const isPlain = isText(name, size);
  if (!isPlain && !isContent(name, size)) return;
  const isSample = mode == INSTRUCTIONS || isFirstOfRole();
  const head: usize = isSample ? readSample(start, close) : isPlain ? TEXT_HEAD : CONTENT_HEAD;
  const tail: usize = isSample ? findSampleTail(start, close) : 0;
  if (close - start <= head + tail + LEAST_CUT + (isSample ? <usize>FILLER : 0)) return;
  const read = readBegin(start, isPlain);
  if (read == 0) return;
  const from = findBoundary(max(start + head, read), close);
  const to = tail == 0 ? close : findBoundary(max(close - tail, from), close);
  if (from == 0 || to == 0 || to <= from) return;
  flush(from, to);
  if (!isSample) return;
  const filler = ((to - from) as u32) % FILLER;
  memory.fill(writtenTo, DOT, filler);
  writtenTo += filler;
}

/** @returns the bytes of the first characters of a text */
function readSample(start: usize, close: usize): usize {
  let at = start;
  for (let units: u32 = 0; units < SAMPLE_UNITS && at < close; units += 1) {
    const byte = <u32>load<u8>(at);
    if (byte == BACKSLASH) at += <u32>load<u8>(at, 1) == LETTER_U ? 6 : 2;
    else if (byte < 0x80) at += 1;
    else if (byte < 0xe0) at += 2;
    else if (byte < 0xf0) at += 3;
    else {
      at += 4;
      units += 1;
    }
  }
  return at - start;
}

/** @returns bytes that the last characters of a text have at most */
function findSampleTail(start: usize, close: usize): usize {
  if (close - start < PLAIN_SAMPLE_TAIL) return SAMPLE_TAIL;
  for (let at = close - PLAIN_SAMPLE_TAIL; at < close; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte == BACKSLASH || byte >= 0x80) return SAMPLE_TAIL;
  }
  return PLAIN_SAMPLE_TAIL;
}

/**
 * Reads the begin of a text, as far as it may be the scheme of an address.
 * @returns the offset behind it; 0 if the text may be an address, which is read as a whole
 */
function readBegin(start: usize, isPlain: bool): usize {
  let at = start;
  // Blanks may be escaped.
  while (true) {
    if (at - start > MAX_BLANKS) return 0;
    const byte = <u32>load<u8>(at);
    if (byte == BACKSLASH) {
      const letter = <u32>load<u8>(at, 1);
      if (letter == QUOTE || letter == SLASH || letter == BACKSLASH) return at + 2;
      const unit = letter == LETTER_U ? readHex(at + 2) : 0;
      // Letters of a scheme may be escaped.
      if (unit > 0x20 && unit < 0x80) return 0;
      if (unit >= 0x2100 && unit != 0x3000 && unit != 0xfeff) return at + 6;
      at += letter == LETTER_U ? 6 : 2;
    } else if (byte == 0x20) at += 1;
    else if (byte >= 0x80 && isBlank(at)) at += byte == 0xc2 ? 2 : 3;
    else break;
  }
  const from = at;
  while (true) {
    if (load<u8>(SCHEME_SIGNS + <usize>load<u8>(at)) != 0) at += 1;
    else if (!isPlain && isLeftOut(at)) at += 2;
    else break;
    if (at - from > MAX_SCHEME) return 0;
  }
  const sign = <u32>load<u8>(at);
  const next = <u32>load<u8>(at, 1);
  if (sign == BACKSLASH) return next == LETTER_U || next == SLASH ? 0 : at + 2;
  if (sign != COLON) return at + 1;
  // `data:`, in any case.
  if (at - from == 4 && (load<u32>(from) | 0x20202020) == 0x61746164) return at + 1;
  return !isPlain || next == SLASH || next == BACKSLASH ? 0 : at + 1;
}

/** True for an escaped tab or line end, which parsers of URLs leave out (https://url.spec.whatwg.org/#url-parsing). */
function isLeftOut(at: usize): bool {
  if (<u32>load<u8>(at) != BACKSLASH) return false;
  const letter = load<u8>(at, 1);
  return letter == 0x6e || letter == 0x72 || letter == 0x74;
}

/** True for white space of Unicode outside of ASCII, as regular expressions know it. */
function isBlank(at: usize): bool {
  const first = <u32>load<u8>(at);
  const second = <u32>load<u8>(at, 1);
  const third = <u32>load<u8>(at, 2);
  if (first == 0xc2) return second == 0xa0;
  if (first == 0xe1) return second == 0x9a && third == 0x80;
  if (first == 0xe2) {
    if (second == 0x81) return third == 0x9f;
    return second == 0x80 && (third <= 0x8a || third == 0xa8 || third == 0xa9 || third == 0xaf);
  }
  if (first == 0xe3) return second == 0x80 && third == 0x80;
  return first == 0xef && second == 0xbb && third == 0xbf;
}

/** @returns an offset that is not inside of a character or an escape; 0 if there is none before the end */
function findBoundary(from: usize, close: usize): usize {
  let plain = 0;
  for (let at = from; at < close; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte == BACKSLASH) {
      // It begins an escape, unless the one before it escapes it.
      let first = at;
      while (<u32>load<u8>(first - 1) == BACKSLASH) first -= 1;
      return at + ((at - first) & 1);
    }
    // No escape has more bytes.
    if (plain >= 6 && (byte & 0xc0) != 0x80) return at;
    plain += 1;
  }
  return 0;
}

/** @returns where a kept offset of the body is in the outline */
export function findWritten(at: usize): usize {
  return writtenTo + (at - keptFrom);
}

/** Keeps everything up to an offset, and nothing from there to another one. */
export function flush(from: usize, to: usize): void {
  const length = from - keptFrom;
  if (writtenTo != keptFrom) memory.copy(writtenTo, keptFrom, length);
  writtenTo += length;
  keptFrom = to;
}
