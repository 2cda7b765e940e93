import { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import { tokensOfBytes } from '../input-tokens/tokens-of-bytes.ts';
import { JsonObjectBytes } from '../json/edit-members.ts';

/** At least this much of the received text is quoted, in UTF-16 units. */
const MIN_QUOTE = 24;
const MAX_QUOTE = 80;

/** What the roles of the added messages take, in tokens. */
const MESSAGE_TOKENS = 8;

/** The messages that continue a response. */
export interface Appended {
  /** The text of the response so far. */
  text: string;
  /** The model gets an instruction; false: it continues the last message itself. */
  isInstructed: boolean;
}

/** The last words of a text, which show where it stopped. */
function getLastWords(text: string): string {
  const end = text.trimEnd();
  const tail = end.slice(-MAX_QUOTE);
  if (tail.length === end.length) return end.trimStart();
  const from = tail.slice(0, tail.length - MIN_QUOTE).lastIndexOf(' ');
  return tail.slice(from + 1);
}

/** The model repeats a few words, so that the seam is certain, also in the middle of a word. */
function writeInstruction(text: string): string {
  return [
    'Your last message was cut off by a technical error. Write the rest of it.',
    'Begin with its last words, exactly as they are between the lines, and go on from there. Do not comment on the error.',
    '---',
    getLastWords(text),
    '---',
  ].join('\n');
}

/** Input that a continuation reads in addition to the request and the response so far, in tokens. */
export function countInstruction({ text, isInstructed }: Appended): number {
  return isInstructed ? tokensOfBytes(Buffer.byteLength(writeInstruction(text))) + MESSAGE_TOKENS : 0;
}

/**
 * Adds the response so far to the conversation in a caller's body. All other bytes stay.
 * @returns null if the conversation cannot be read
 */
export function appendResponse(
  dialect: Dialect,
  body: Buffer,
  { text, isInstructed }: Appended,
): Buffer | null {
  const name = dialect === 'openai-responses' ? 'input' : 'messages';
  const object = new JsonObjectBytes(body);
  const conversation = readList(object.getText(name));
  if (conversation === null) return null;
  const added = [{ role: 'assistant', content: text }];
  if (isInstructed) added.push({ role: 'user', content: writeInstruction(text) });
  const items = added.map((message) => JSON.stringify(message));
  const all = conversation === '' ? items : [conversation, ...items];
  return object.edit({ drops: [], changes: { [name]: `[${all.join(',')}]` } });
}

/** @returns the items of a list as JSON, without its brackets; a text as a message of the user; null if it is neither */
function readList(json: string | undefined): string | null {
  const given = json?.trim() ?? '';
  if (given.startsWith('"')) return `{"role":"user","content":${given}}`;
  return given.startsWith('[') ? given.slice(1, -1).trim() : null;
}
