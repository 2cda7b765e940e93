import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { editEntries, editEntryMembers, type EntryBytes } from '../../json/edit-entries.ts';
import { JsonObjectBytes, type Edit } from '../../json/edit-members.ts';
import { parseJsonObject } from '../../json/parse-object.ts';
import { findItemChanges, type ItemChange } from './item-changes.ts';

/**
 * Writes items into `input` in place of the references to them. Everything else keeps its bytes.
 * @param body a request of the Responses API in which no name is repeated
 * @returns the body itself if nothing changes, also if it is not valid: the parser reports why
 */
export function expandItems(body: Buffer): Result<Buffer> {
  const input = parseJsonObject(body.toString('utf8'))?.['input'];
  if (!Array.isArray(input)) return { ok: true, value: body };
  const changes = findItemChanges(input);
  if (!changes.ok) return changes;
  if (changes.value.size === 0) return { ok: true, value: body };
  const object = new JsonObjectBytes(body);
  const { edits } = editEntries(body, object.findPlace('input')?.start ?? 0, (entry) =>
    editEntry(entry, changes.value.get(entry.index)),
  );
  return { ok: true, value: object.edit({ drops: [], changes: {}, inside: edits }) };
}

/** @returns null: the entry is dropped */
function editEntry(entry: EntryBytes, change: ItemChange | undefined): Edit[] | null {
  switch (change?.kind) {
    case 'dropped':
      return null;
    case 'item':
      return [{ start: 0, end: entry.bytes.length, text: change.json }];
    case 'id':
      return editEntryMembers(entry, { id: change.id });
    case undefined:
      return [];
  }
}
