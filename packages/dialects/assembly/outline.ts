// The program of `src/outline/outline-bytes.gen.ts`, in AssemblyScript (https://www.assemblyscript.org). It checks that bytes are
// one JSON object whose names have one meaning, and cuts the middle out of long texts of the conversation.
// `npm run outline` builds it, and a test compares the two.
import { cut, flush, prepareCuts, startCuts, startMember, writtenTo } from './cuts';
import { nextEntry } from './entries';
import {
  endEntryMember,
  noteComma,
  noteInnerMember,
  startEntryMember,
  startIdle,
  startIdleMember,
} from './idle';
import {
  BODY,
  BRACKETS,
  COLON,
  COMMA,
  INVALID,
  MAX_DEPTH,
  MAX_PLACES,
  MINUS,
  OPEN_LIST,
  OPEN_OBJECT,
  PADDING,
  PLACES,
  QUOTE,
  TOO_MANY,
} from './layout';
import { searchMarks } from './marks';
import { checkName, closeLevel, isOdd, isWhole, markOdd, openLevel, startNames } from './names';
import { endOfNumber, endOfWord, isFloat, mayOverflow } from './numbers';
import { endOfText, failure, prepareTexts, skipSpace } from './texts';

export { addMark, getNewMarkOffset, hasRoomForMark, openMarks } from './marks';
export { addKnown, getNewNameOffset } from './names';
export { takeIdle } from './idle';

/** Open containers in the members of an entry: the body, its list, and the entry. */
const ENTRY_DEPTH: u32 = 3;

let values: u32 = 0;
let members: u32 = 0;
let placed: u32 = 0;
let depth: u32 = 0;
let nameStart: usize = 0;
let nameEnd: usize = 0;

export function getBodyOffset(): u32 {
  return BODY as u32;
}

export function getPlacesOffset(): u32 {
  return PLACES as u32;
}

export function countPlaces(): u32 {
  return placed;
}

export function countValues(): u32 {
  return values;
}

export function countMembers(): u32 {
  return members;
}

/** True: the names and numbers of the body were not checked. */
export function needsScan(): bool {
  return isOdd;
}

/** Searches the outline for the texts of a list. @returns bit `n` for text `n` */
export function findMarks(list: usize): u32 {
  return searchMarks(list, writtenTo);
}

/** Makes room for a body of so many bytes. @returns 0 if there is no memory for it */
export function reserve(length: u32): u32 {
  const pages = (((BODY + length + PADDING + 0xffff) >>> 16) as i32) - memory.size();
  return pages <= 0 || memory.grow(pages) >= 0 ? 1 : 0;
}

/**
 * Writes the outline of the body over it.
 * @returns the length of the outline; less than 0: there is none
 */
export function outline(size: u32, maxValues: u32, maxMembers: u32): i32 {
  const end = BODY + size;
  memory.fill(end, 0, PADDING);
  values = 0;
  members = 0;
  placed = 0;
  depth = 0;
  startNames();
  startCuts();
  startIdle();
  let at = skipSpace(BODY);
  if (<u32>load<u8>(at) != OPEN_OBJECT) return INVALID;
  while (true) {
    values += 1;
    if (values > maxValues) return TOO_MANY;
    const byte = <u32>load<u8>(at);
    if (byte == QUOTE) {
      const start = at + 1;
      const close = endOfText(start);
      if (close == 0) return failure;
      if (depth > 0) cut(start, close, nameStart, (nameEnd - nameStart) as u32, depth - 1);
      at = close + 1;
    } else if (byte == OPEN_OBJECT || byte == OPEN_LIST) {
      if (depth == MAX_DEPTH) return INVALID;
      store<u8>(BRACKETS + depth, byte);
      openLevel(depth);
      depth += 1;
      at = skipSpace(at + 1);
      // Both closing brackets are two behind the opening ones.
      if (<u32>load<u8>(at) == byte + 2) {
        at += 1;
        depth -= 1;
      } else {
        if (byte == OPEN_OBJECT) {
          at = readName(at, true);
          if (at == 0) return failure;
          if (members > maxMembers) return TOO_MANY;
        }
        continue;
      }
    } else {
      const isNumber = byte == MINUS || byte - 0x30 <= 9;
      at = isNumber ? endOfNumber(at) : endOfWord(at, byte);
      if (at == 0) return INVALID;
      if (isNumber && (mayOverflow || (isFloat && isWhole))) markOdd();
    }
    // Behind a value.
    while (true) {
      if (depth == 0) {
        if (skipSpace(at) != end) return INVALID;
        flush(end, end);
        return (writtenTo - BODY) as i32;
      }
      if (depth == 1 && placed <= MAX_PLACES)
        store<u32>(PLACES + ((placed - 1) << 4), (at - BODY) as u32, 12);
      if (depth == ENTRY_DEPTH) endEntryMember(at);
      at = skipSpace(at);
      const kind = <u32>load<u8>(BRACKETS + depth - 1);
      const sign = <u32>load<u8>(at);
      if (sign == COMMA) {
        if (depth == ENTRY_DEPTH) noteComma(at);
        else if (depth == 2) nextEntry();
        at = skipSpace(at + 1);
        if (kind == OPEN_OBJECT) {
          at = readName(at, false);
          if (at == 0) return failure;
          if (members > maxMembers) return TOO_MANY;
        }
        break;
      }
      if (sign != kind + 2) return INVALID;
      at += 1;
      depth -= 1;
      closeLevel(depth);
    }
  }
}

/** Reads a name and its colon. @returns the offset of its value; 0 if there is no name */
function readName(at: usize, isFirst: bool): usize {
  if (<u32>load<u8>(at) != QUOTE) return 0;
  members += 1;
  const start = at + 1;
  const close = endOfText(start);
  if (close == 0) return 0;
  nameStart = start;
  nameEnd = close;
  checkName(start, (close - start) as u32, depth - 1);
  let next = skipSpace(close + 1);
  if (<u32>load<u8>(next) != COLON) return 0;
  next = skipSpace(next + 1);
  if (depth == ENTRY_DEPTH) startEntryMember(start, (close - start) as u32, isFirst);
  else if (depth > ENTRY_DEPTH) noteInnerMember(start, (close - start) as u32);
  else if (depth == 1) {
    startMember(start, (close - start) as u32);
    startIdleMember(start, (close - start) as u32);
    if (placed < MAX_PLACES) {
      const place = PLACES + (placed << 4);
      store<u32>(place, (at - BODY) as u32);
      store<u32>(place, (close + 1 - BODY) as u32, 4);
      store<u32>(place, (next - BODY) as u32, 8);
    }
    placed += 1;
  }
  return next;
}

prepareTexts();
prepareCuts();
