import { Buffer } from 'node:buffer';

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;

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
  const inner = lists
    // One character for each byte.
    .map((list) => list.toString('latin1').trim().slice(1, -1).trim())
    .filter((text) => text !== '');
  return Buffer.from(`[${inner.join(',')}]`, 'latin1');
}
