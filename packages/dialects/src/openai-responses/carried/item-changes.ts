import { deny, type Result } from '@tollgate/core/errors/errors';
import { asObject, type JsonObject } from '../../json/parse-object.ts';
import { isOwnCompaction, openCompaction } from './compaction.ts';
import { carriesItem, openItemId, wasIssued, type Carried, type CarriedItem } from './item-id.ts';

const REFERENCE = 'item_reference';

/** Of all ids in a body: a thread that runs out of memory while it parses them ends the process. */
const MAX_CARRIED_VALUES = 200_000;
const TOO_MANY_VALUES = deny(
  'invalid_request',
  `The ids in input carry items with more than ${MAX_CARRIED_VALUES} values in total. Send the items themselves.`,
  { param: 'input' },
);

/** What takes the place of an entry of `input`. */
export type ItemChange =
  | { kind: 'dropped' }
  /** The item that a reference names, or the message of a compaction. */
  | { kind: 'item'; json: string }
  /** The first id of an item that was sent whole. */
  | { kind: 'id'; id: string };

/**
 * Finds the items behind the references to them, and the first ids of items that were sent whole. A reference to an item that
 * is sent whole, or that another reference names, is dropped.
 * @returns changes by the index of their entry; `unsupported_parameter` for a reference to an item that nothing in `input`
 *   carries, `invalid_request` for an id that was changed
 */
export function findItemChanges(input: readonly unknown[]): Result<Map<number, ItemChange>> {
  const budget = { values: MAX_CARRIED_VALUES };
  const entries = input.map((entry) => readEntry(entry, budget));
  if (budget.values < 0) return TOO_MANY_VALUES;
  const known = new Map<string, CarriedItem>();
  const used = new Set<string>();
  for (const [index, { item, id, isReference, carried }] of entries.entries()) {
    if (!isReference && carried === null && wasIssued(id)) return denyChanged(index);
    for (const each of carried?.items ?? []) known.set(each.id, each);
    if (isReference || item === null || carried?.isCarrier === true) continue;
    used.add(getKey({ id: carried?.items[0]?.id ?? id, type: item['type'] }));
  }
  const changes = new Map<number, ItemChange>();
  for (const [index, { item, id, isReference, carried }] of entries.entries()) {
    if (isOwnCompaction(item)) {
      const json = openCompaction(item);
      if (json === null) return denyChanged(index, 'encrypted_content');
      changes.set(index, { kind: 'item', json });
      continue;
    }
    const own = carried?.items[0];
    if (carried?.isCarrier === true) changes.set(index, { kind: 'dropped' });
    else if (!isReference) {
      if (own !== undefined) changes.set(index, { kind: 'id', id: own.id });
    } else {
      const named = own ?? known.get(id);
      if (named === undefined && carriesItem(id)) return denyChanged(index);
      // Without any id that carries an item, the parser refuses the reference.
      if (named === undefined && known.size > 0) return denyUnknown(index);
      if (named === undefined) continue;
      const key = getKey(named);
      changes.set(index, used.has(key) ? { kind: 'dropped' } : { kind: 'item', json: named.json });
      used.add(key);
    }
  }
  return { ok: true, value: changes };
}

interface Entry {
  item: JsonObject | null;
  /** Empty if it has none. */
  id: string;
  isReference: boolean;
  /** null: its id carries nothing. */
  carried: Carried | null;
}

/** @param budget how many values ids may still carry; negative: they carry more, and are not read further */
function readEntry(entry: unknown, budget: { values: number }): Entry {
  const item = asObject(entry);
  const id = typeof item?.['id'] === 'string' ? item['id'] : '';
  return {
    item,
    id,
    isReference: item?.['type'] === REFERENCE,
    carried: carriesItem(id) && budget.values >= 0 ? openItemId(id, budget) : null,
  };
}

/** A result may have the id of its call. */
function getKey({ id, type }: { id: string; type: unknown }): string {
  return `${typeof type === 'string' ? type : 'message'} ${id}`;
}

function denyChanged(index: number, name = 'id'): ReturnType<typeof deny> {
  const param = `input.${index}.${name}`;
  return deny('invalid_request', `${param} is not as it was issued here: it was cut or changed.`, { param });
}

function denyUnknown(index: number): ReturnType<typeof deny> {
  const param = `input.${index}`;
  const message = `${param} refers to an item that is not kept here and that no id in \`input\` carries. Send the item itself in its place, reasoning with its encrypted_content.`;
  return deny('unsupported_parameter', message, { param });
}
