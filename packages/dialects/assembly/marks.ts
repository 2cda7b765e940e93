import { BODY, IDLE, LANES, MARKS } from './layout';

/**
 * A list of texts: how many there are, offset and size of each, and six tables of 16 bytes: for each of the first three bytes of
 * a text by its low and by its high half. Bit `n % 8` of an entry is set if text `n` may have such a byte there.
 */
const ENTRIES: usize = 16;
const ENTRY: usize = 8;
const TABLES: usize = 6 * 16;
/** Bits of the result. */
const MAX_TEXTS: usize = 32;

let listsEnd: usize = MARKS;

/** Adds a list without texts. @returns its offset */
export function openMarks(): u32 {
  const list = listsEnd;
  memory.fill(list, 0, ENTRIES + MAX_TEXTS * ENTRY + TABLES);
  listsEnd += ENTRIES + MAX_TEXTS * ENTRY + TABLES;
  return list as u32;
}

/** @returns where the next text is to be written */
export function getNewMarkOffset(): u32 {
  return listsEnd as u32;
}

/** True if a text of at least three bytes can be added to a list that is the last one. */
export function hasRoomForMark(list: usize, size: u32): bool {
  return size >= 3 && <usize>load<u32>(list) < MAX_TEXTS && listsEnd + size + 16 <= IDLE;
}

/** Adds the text that was written. */
export function addMark(list: usize, size: u32): void {
  const count = load<u32>(list);
  const entry = list + ENTRIES + <usize>count * ENTRY;
  store<u32>(entry, listsEnd as u32);
  store<u32>(entry, size, 4);
  store<u32>(list, count + 1);
  const tables = getTables(list);
  const bit: u32 = 1 << (count & 7);
  for (let at: usize = 0; at < 3; at += 1) {
    const byte = <u32>load<u8>(listsEnd + at);
    const low = tables + at * 32 + (byte & 15);
    const high = tables + at * 32 + 16 + (byte >> 4);
    store<u8>(low, load<u8>(low) | bit);
    store<u8>(high, load<u8>(high) | bit);
  }
  // The next list is aligned.
  listsEnd = (listsEnd + size + 15) & ~15;
}

function getTables(list: usize): usize {
  return list + ENTRIES + MAX_TEXTS * ENTRY;
}

/**
 * Searches for all texts of a list in one pass, 16 bytes at a time.
 * @param end the offset behind what is searched, which begins at `BODY`
 * @returns bit `n` for text `n`
 */
export function searchMarks(list: usize, end: usize): u32 {
  const tables = getTables(list);
  const low0 = v128.load(tables);
  const high0 = v128.load(tables, 16);
  const low1 = v128.load(tables, 32);
  const high1 = v128.load(tables, 48);
  const low2 = v128.load(tables, 64);
  const high2 = v128.load(tables, 80);
  let found: u32 = 0;
  let wanted = i8x16.splat(-1);
  for (let at = BODY; at < end; at += 16) {
    const buckets = v128.and(
      v128.and(v128.and(wanted, lookUp(v128.load(at), low0, high0)), lookUp(v128.load(at, 1), low1, high1)),
      lookUp(v128.load(at, 2), low2, high2),
    );
    if (!v128.any_true(buckets)) continue;
    let lanes = i8x16.bitmask(i8x16.ne(buckets, i8x16.splat(0)));
    v128.store(LANES, buckets);
    while (lanes != 0) {
      const lane: usize = ctz(lanes);
      found |= compareMarks(list, at + lane, end, <u32>load<u8>(LANES + lane));
      lanes &= lanes - 1;
    }
    wanted = i8x16.splat(listWanted(list, found));
  }
  return found;
}

/** @returns the bits of texts that are not found yet, modulo 8: a body may repeat a text as often as it likes */
function listWanted(list: usize, found: u32): i8 {
  const count = load<u32>(list);
  let places: u32 = 0;
  for (let text: u32 = 0; text < count; text += 1) places |= (((found >> text) & 1) ^ 1) << (text & 7);
  return places as i8;
}

/** @returns the bits of bytes at a position, by the halves of each byte */
function lookUp(bytes: v128, low: v128, high: v128): v128 {
  const half = i8x16.splat(15);
  return v128.and(
    i8x16.swizzle(low, v128.and(bytes, half)),
    i8x16.swizzle(high, v128.and(i16x8.shr_u(bytes, 4), half)),
  );
}

/** Compares texts with what is at an offset. @param places of the list, modulo 8 */
function compareMarks(list: usize, at: usize, end: usize, places: u32): u32 {
  const count = load<u32>(list);
  let found: u32 = 0;
  for (let text: u32 = 0; text < count; text += 1) {
    if (((places >> (text & 7)) & 1) == 0) continue;
    const entry = list + ENTRIES + <usize>text * ENTRY;
    const size = <usize>load<u32>(entry, 4);
    if (at + size <= end && memory.compare(at, load<u32>(entry), size) == 0) found |= (<u32>1) << text;
  }
  return found;
}
