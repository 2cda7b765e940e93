import { wrapInstruction } from '../anthropic-messages/system-instruction.ts';
import { editEntries, editEntryMembers, type EntryBytes } from '../json/edit-entries.ts';
import { JsonObjectBytes, type Edit } from '../json/edit-members.ts';
import { parseJson, parseJsonObject } from '../json/parse-object.ts';

/** Texts of which a conversation with a system message has one. */
export const SYSTEM_MARKS: readonly string[] = [':', ': ', ' :', ' : '].map(
  (colon) => `"role"${colon}"system"`,
);

export function isSystemTurn({ bytes }: EntryBytes): boolean {
  const role = new JsonObjectBytes(bytes).getText('role');
  return role !== undefined && parseJson(role) === 'system';
}

/**
 * Makes a system message a turn of the user, as translation does. Anthropic joins it with the turn before it. Everything
 * else, such as cache breakpoints, keeps its bytes.
 */
export function toUserTurn(entry: EntryBytes): Edit[] {
  const message = new JsonObjectBytes(entry.bytes);
  const role = editEntryMembers(entry, { role: 'user' });
  const content = parseJson(message.getText('content') ?? 'null');
  if (typeof content === 'string')
    return editEntryMembers(entry, { role: 'user', content: wrapInstruction(content) });
  const place = message.findPlace('content');
  if (place === null || !Array.isArray(content)) return role;
  return [...role, ...editEntries(entry.bytes, place.start, wrapBlock).edits];
}

function wrapBlock(entry: EntryBytes): Edit[] {
  const { type, text } = parseJsonObject(entry.bytes.toString('utf8')) ?? {};
  return type === 'text' && typeof text === 'string'
    ? editEntryMembers(entry, { text: wrapInstruction(text) })
    : [];
}
