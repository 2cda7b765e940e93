import { Buffer } from 'node:buffer';

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const LIST_START = Buffer.from('[');
const LIST_END = Buffer.from(']');
const COMMA = Buffer.from(',');

/** True for the JSON of a text or a list. */
export function isItemInput(input: Buffer): boolean {
  return input[0] === QUOTE || input[0] === OPEN_BRACKET;
}

/** The JSON of `input` as a list: a text is the message of a user. */
export function toItemList(input: Buffer): Buffer {
  if (input[0] !== QUOTE) return input;
  return Buffer.concat([Buffer.from('[{"role":"user","content":'), input, Buffer.from('}]')]);
}

/** Joins JSON lists, byte by byte. */
export function joinLists(lists: readonly Buffer[]): Buffer {
  const inner = lists.map(getInside).filter(({ length }) => length > 0);
  const pieces = inner.flatMap((items, at) => (at === 0 ? [items] : [COMMA, items]));
  return Buffer.concat([LIST_START, ...pieces, LIST_END]);
}

/** The inside of a JSON list, without blanks around it; the same memory. */
export function getInside(list: Buffer): Buffer {
  const whole = trim(list);
  return trim(whole.subarray(1, -1));
}

function trim(json: Buffer): Buffer {
  let start = 0;
  let end = json.length;
  while (start < end && isBlank(json[start])) start += 1;
  while (end > start && isBlank(json[end - 1])) end -= 1;
  return json.subarray(start, end);
}

/** https://www.rfc-editor.org/rfc/rfc8259#section-2 */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
