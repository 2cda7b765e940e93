import { Buffer } from 'node:buffer';
import { writeJson } from '@tollgate/dialects/json/heap-guard';
import { asObject, parseJson } from '@tollgate/dialects/json/parse-object';
import { showItem } from '../stored/shown-item.ts';
import { toItemId } from '../stored/write-page.ts';

/**
 * Takes an item out of a part of a conversation; the others keep their places.
 * @param part a JSON list
 * @returns the part without it; null if the part does not have it
 */
export function removeItem(part: Buffer, partId: string, itemId: string): Buffer | null {
  const given = parseJson(part.toString('utf8'));
  const items = (Array.isArray(given) ? given : []).map(asObject);
  const place = items.findIndex(
    (item, at) => item !== null && showItem(item, toItemId(item, partId, at)).id === itemId,
  );
  if (place < 0) return null;
  return Buffer.from(writeJson(items.map((item, at) => (at === place ? null : item))));
}
