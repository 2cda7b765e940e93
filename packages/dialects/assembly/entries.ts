import { BACKSLASH } from './layout';
import { isName } from './texts';

/** Level of the container that members of an entry are in. */
export const ENTRY_LEVEL: u32 = 2;
/** A conversation is recognized by the first entry of each of these roles among so many. */
const HEAD_ENTRIES: u32 = 8;
/** Roles of entries, as bits. */
const USER: u32 = 1;
const SYSTEM: u32 = 2;
const DEVELOPER: u32 = 4;
const OTHER_ROLE: u32 = 8;
/** No role was read yet: it may follow the texts. */
const UNKNOWN_ROLE: u32 = 0;

let entries: u32 = 0;
/** Of the current entry. */
let role: u32 = UNKNOWN_ROLE;
/** Roles of the entries before it. */
let earlierRoles: u32 = 0;

export function startEntries(): void {
  entries = 0;
  role = UNKNOWN_ROLE;
  earlierRoles = 0;
}

/** An entry of a list of the body is over. */
export function nextEntry(): void {
  entries += 1;
  earlierRoles |= role;
  role = UNKNOWN_ROLE;
}

/** The current entry has this role. */
export function noteRole(start: usize, size: u32): void {
  role = readRole(start, size);
}

function readRole(start: usize, size: u32): u32 {
  if (isName(start, size, 'user')) return USER;
  if (isName(start, size, 'system')) return SYSTEM;
  if (isName(start, size, 'developer')) return DEVELOPER;
  for (let at = start; at < start + size; at += 1) if (<u32>load<u8>(at) == BACKSLASH) return UNKNOWN_ROLE;
  return OTHER_ROLE;
}

/** False if no conversation is recognized by the texts of the current entry. */
export function isFirstOfRole(): bool {
  return entries < HEAD_ENTRIES && role != OTHER_ROLE && (role & earlierRoles) == 0;
}
