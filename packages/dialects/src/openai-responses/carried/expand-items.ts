import { deny, type Result } from '@tollgate/core/errors/errors';
import { asObject, type JsonObject } from '../../json/parse-object.ts';
import { carriesItem, openItemId, type Carried } from './item-id.ts';

const REFERENCE = 'item_reference';

/**
 * Puts the items in the place of the references to them, and gives items that were sent whole their first id back. An item
 * that is referred to twice counts once.
 * @returns `unsupported_parameter` for a reference to an item that nothing in `input` carries, `invalid_request` for an id
 *   that was changed
 */
export function expandItems(input: readonly unknown[]): Result<unknown[]> {
  const opened = new Map<string, Carried>();
  const known = new Map<string, JsonObject>();
  for (const [index, entry] of input.entries()) {
    const id = asObject(entry)?.['id'];
    if (!carriesItem(id)) continue;
    const content = openItemId(id);
    if (content === null) return denyChanged(index);
    opened.set(id, content);
    for (const item of 'items' in content ? content.items : [content.item])
      known.set(String(item['id']), item);
  }
  const expanded: unknown[] = [];
  const used = new Set<unknown>();
  for (const [index, entry] of input.entries()) {
    const given = asObject(entry);
    const id = given?.['id'];
    const carried = typeof id === 'string' ? opened.get(id) : undefined;
    const isReference = given?.['type'] === REFERENCE;
    if (carried !== undefined && 'items' in carried) continue;
    if (!isReference) {
      if (carried === undefined || given === null) expanded.push(entry);
      else {
        expanded.push({ ...given, id: carried.item['id'] });
        used.add(carried.item['id']);
      }
      continue;
    }
    const item = carried?.item ?? known.get(String(id));
    if (item === undefined) return denyUnknown(index);
    if (used.has(item['id'])) continue;
    used.add(item['id']);
    expanded.push(item);
  }
  return { ok: true, value: expanded };
}

function denyChanged(index: number): ReturnType<typeof deny> {
  const param = `input.${index}.id`;
  return deny('invalid_request', `${param} is not an id that was issued here: it was cut or changed.`, {
    param,
  });
}

function denyUnknown(index: number): ReturnType<typeof deny> {
  const param = `input.${index}`;
  const message = `${param} refers to an item that is not kept here and that no id in \`input\` carries. Send the item itself in its place, reasoning with its encrypted_content.`;
  return deny('unsupported_parameter', message, { param });
}
