import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { JsonObjectBytes, type Edit } from '../../json/edit-members.ts';
import { readEntryPlaces } from '../../json/member-places.ts';
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
  const places = readEntryPlaces(body, object.findPlace('input')?.start ?? 0);
  const inside = listEdits(body, places, changes.value);
  return { ok: true, value: object.edit({ drops: [], changes: {}, inside }) };
}

/** @param places the start and the end of each entry */
function listEdits(
  body: Buffer,
  places: readonly number[],
  changes: ReadonlyMap<number, ItemChange>,
): Edit[] {
  const edits: Edit[] = [];
  let isFirst = true;
  for (let at = 0; at < places.length; at += 2) {
    const start = places[at] ?? 0;
    const end = places[at + 1] ?? 0;
    const change = changes.get(at / 2);
    if (change?.kind === 'dropped') {
      // With the comma before it, or with the one after it if no entry before it stays.
      edits.push(
        isFirst
          ? { start, end: places[at + 2] ?? end, text: '' }
          : { start: places[at - 1] ?? start, end, text: '' },
      );
      continue;
    }
    isFirst = false;
    if (change?.kind === 'item') edits.push({ start, end, text: change.json });
    if (change?.kind !== 'id') continue;
    const place = new JsonObjectBytes(body.subarray(start, end)).findPlace('id');
    if (place !== null)
      edits.push({
        start: start + place.start,
        end: start + place.end,
        text: JSON.stringify(change.id),
      });
  }
  return edits;
}
