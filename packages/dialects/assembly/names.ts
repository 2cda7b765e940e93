import { BACKSLASH, BASES, INNER, KNOWN, KNOWN_SLOTS, KNOWN_TEXT, MAX_SEEN, SEEN } from './layout';

/** How the names of an object are checked: as in `request-members.ts`. */
const STRICT: u32 = 1;
const FREE: u32 = 3;
/** Rules of a known name: the kind of objects in its value at the top and below, and whether its numbers are whole. */
const KIND: u32 = 3;
const BELOW: u32 = 2;
const WHOLE_NUMBER: u32 = 16;
/** Deeper bodies are refused. */
const MAX_NAMED_DEPTH: u32 = 101;
/** An object with more names is for another reader: each is compared with all before it. */
const MAX_NAMES: u32 = 96;

/** Names or numbers of the body need another reader. */
export let isOdd: bool = false;
/** The current member takes whole numbers only. */
export let isWhole: bool = false;
let seen: u32 = 0;
let knownEnd: usize = KNOWN_TEXT;

export function startNames(): void {
  isOdd = false;
  isWhole = false;
  seen = 0;
}

export function markOdd(): void {
  isOdd = true;
}

/** @param depth levels that were open before */
export function openLevel(depth: u32): void {
  store<u8>(INNER + depth, depth == 0 ? STRICT : load<u8>(INNER + depth - 1));
  store<u32>(BASES + (depth << 2), seen);
  isWhole = false;
  if (depth >= MAX_NAMED_DEPTH) isOdd = true;
}

/** @param depth levels that stay open */
export function closeLevel(depth: u32): void {
  seen = load<u32>(BASES + (depth << 2));
}

export function getNewNameOffset(): u32 {
  return knownEnd as u32;
}

/** Adds a known name, which is written at the offset. */
export function addKnown(size: u32, rules: u32): void {
  const hash = computeHash(knownEnd, size);
  let slot = hash & (KNOWN_SLOTS - 1);
  while (load<u32>(KNOWN + (slot << 4), 8) != 0) slot = (slot + 1) & (KNOWN_SLOTS - 1);
  const at = KNOWN + (slot << 4);
  store<u32>(at, hash);
  store<u32>(at, knownEnd as u32, 4);
  store<u32>(at, size, 8);
  store<u32>(at, rules, 12);
  knownEnd += size;
  // A hash reads eight bytes at a time.
  knownEnd = (knownEnd + 15) & ~7;
}

/** Compares a name with those before it in its object, and finds its rules. */
export function checkName(start: usize, size: u32, level: u32): void {
  if (isOdd) return;
  const kind: u32 = level == 0 ? STRICT : load<u8>(INNER + level - 1);
  if (!isPlainName(start, size, kind == FREE)) {
    isOdd = true;
    return;
  }
  const hash = computeHash(start, size);
  const base = load<u32>(BASES + (level << 2));
  if (seen - base >= MAX_NAMES || seen >= MAX_SEEN) {
    isOdd = true;
    return;
  }
  for (let at = base; at < seen; at += 1)
    if (load<u32>(SEEN + (at << 2)) == hash) {
      isOdd = true;
      return;
    }
  store<u32>(SEEN + (seen << 2), hash);
  seen += 1;
  const rules = kind == STRICT ? findRules(hash, start, size) : 0;
  // It may differ from a known name of the body only in '_'.
  if (rules == 0 && level == 0) isOdd = true;
  isWhole = (rules & WHOLE_NUMBER) != 0;
  store<u8>(INNER + level, rules == 0 ? FREE : level == 0 ? rules & KIND : (rules >> BELOW) & KIND);
}

/** True for a name whose bytes are compared: ASCII without escapes, and in objects of the API without upper case. */
function isPlainName(start: usize, size: u32, isFree: bool): bool {
  // `__proto__`
  if (size == 9 && load<u64>(start) == 0x5f6f746f72705f5f) return false;
  for (let at: usize = start; at < start + size; at += 16) {
    const bytes = v128.load(at);
    let odd = i8x16.eq(bytes, i8x16.splat(BACKSLASH as i8));
    if (!isFree) {
      const upper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
      odd = v128.or(odd, v128.or(upper, i8x16.lt_s(bytes, i8x16.splat(0))));
    }
    const left = (start + size - at) as u32;
    const mask = left >= 16 ? 0xffff : (1 << left) - 1;
    if ((i8x16.bitmask(odd) & mask) != 0) return false;
  }
  return true;
}

/** @returns the rules of a known name; 0 if it is none */
function findRules(hash: u32, start: usize, size: u32): u32 {
  let slot = hash & (KNOWN_SLOTS - 1);
  while (true) {
    const at = KNOWN + (slot << 4);
    const known = load<u32>(at, 8);
    if (known == 0) return 0;
    if (load<u32>(at) == hash && known == size && memory.compare(load<u32>(at, 4), start, size) == 0)
      return load<u32>(at, 12);
    slot = (slot + 1) & (KNOWN_SLOTS - 1);
  }
}

function computeHash(start: usize, size: u32): u32 {
  let hash: u64 = size;
  let at: u32 = 0;
  while (at < size) {
    let word = load<u64>(start + at);
    const left = size - at;
    if (left < 8) word &= ((<u64>1) << (left << 3)) - 1;
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
    at += 8;
  }
  return hash as u32;
}
