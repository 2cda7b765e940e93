import { findWritten, writtenTo } from './cuts';
import { isFirstOfRole } from './entries';
import { BODY, CLOSE_LIST, IDLE, MAX_IDLE, QUOTE } from './layout';
import { isName } from './texts';

/**
 * Members of the entries of `messages` that say nothing to any reader of the request, apart from marks: texts, ids of calls, and
 * calls of tools without anything else in them.
 */
let count: u32 = 0;
let isMessages: bool = false;
/** The last byte of the current member's value, if it is idle; 0: it is not. */
let wantedEnd: u32 = 0;
/** The comma before the current member. */
let comma: usize = 0;

export function startIdle(): void {
  count = 0;
  isMessages = false;
  wantedEnd = 0;
}

/** A member of the body begins. */
export function startIdleMember(start: usize, size: u32): void {
  isMessages = isName(start, size, 'messages');
}

/** A comma between the members of an entry. */
export function noteComma(at: usize): void {
  comma = findWritten(at);
}

/** A member of an entry begins. @param isFirst true if there is no comma before it: it stays */
export function startEntryMember(start: usize, size: u32, isFirst: bool): void {
  wantedEnd = 0;
  if (isFirst || !isMessages) return;
  if (isName(start, size, 'content')) {
    if (!isFirstOfRole()) wantedEnd = QUOTE;
  } else if (isName(start, size, 'tool_call_id')) wantedEnd = QUOTE;
  else if (isName(start, size, 'tool_calls')) wantedEnd = CLOSE_LIST;
}

/** A member inside of a member of an entry. */
export function noteInnerMember(start: usize, size: u32): void {
  if (wantedEnd != 0 && !isPartOfCall(start, size)) wantedEnd = 0;
}

function isPartOfCall(start: usize, size: u32): bool {
  return (
    isName(start, size, 'id') ||
    isName(start, size, 'type') ||
    isName(start, size, 'function') ||
    isName(start, size, 'name') ||
    isName(start, size, 'arguments')
  );
}

/** The value of a member of an entry is over. */
export function endEntryMember(at: usize): void {
  if (wantedEnd == 0) return;
  if (<u32>load<u8>(at - 1) == wantedEnd && count < MAX_IDLE) {
    store<u32>(IDLE + (count << 3), comma as u32);
    store<u32>(IDLE + (count << 3), findWritten(at) as u32, 4);
    count += 1;
  }
  wantedEnd = 0;
}

/** Takes the idle members out of the outline. @returns its length */
export function takeIdle(): u32 {
  let to = BODY;
  let from = BODY;
  for (let member: u32 = 0; member < count; member += 1) {
    const start = <usize>load<u32>(IDLE + (member << 3));
    memory.copy(to, from, start - from);
    to += start - from;
    from = load<u32>(IDLE + (member << 3), 4);
  }
  memory.copy(to, from, writtenTo - from);
  count = 0;
  return (to + (writtenTo - from) - BODY) as u32;
}
