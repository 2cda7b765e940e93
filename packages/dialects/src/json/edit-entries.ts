import type { Buffer } from 'node:buffer';
import { JsonObjectBytes, type Edit } from './edit-members.ts';
import { readEntryPlaces } from './member-places.ts';

/** An entry of a list, as its bytes. */
export interface EntryBytes {
  bytes: Buffer;
  index: number;
}

export interface EditedEntries {
  /** Offsets are those of the JSON with the list. */
  edits: Edit[];
  /** True if every entry is dropped. */
  isEmptied: boolean;
}

/**
 * Edits or drops entries of a list; everything else keeps its bytes.
 * @param start the offset of the list
 * @param edit returns edits with the offsets of the entry; null: the entry is dropped
 */
export function editEntries(
  json: Buffer,
  start: number,
  edit: (entry: EntryBytes) => readonly Edit[] | null,
): EditedEntries {
  const places = readEntryPlaces(json, start);
  const edits: Edit[] = [];
  let isFirst = true;
  for (let at = 0; at < places.length; at += 2) {
    const entryStart = places[at] ?? 0;
    const entryEnd = places[at + 1] ?? 0;
    const changes = edit({ bytes: json.subarray(entryStart, entryEnd), index: at / 2 });
    if (changes !== null) {
      isFirst = false;
      edits.push(...shiftEdits(changes, entryStart));
      continue;
    }
    // With the comma before it, or with the one after it if no entry before it stays.
    const dropStart = isFirst ? entryStart : (places[at - 1] ?? entryStart);
    edits.push({ start: dropStart, end: isFirst ? (places[at + 2] ?? entryEnd) : entryEnd, text: '' });
  }
  return { edits, isEmptied: isFirst && places.length > 0 };
}

/** New values of members of an entry. */
export function editEntryMembers(
  { bytes }: Pick<EntryBytes, 'bytes'>,
  values: Readonly<Record<string, unknown>>,
): Edit[] {
  const changes = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]);
  return new JsonObjectBytes(bytes).listEdits({ drops: [], changes: Object.fromEntries(changes) });
}

function shiftEdits(edits: readonly Edit[], by: number): Edit[] {
  return edits.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
}
