import { foldNameLoosely } from '../json/fold-name.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/** Members that say what an item is or how far it is, and nothing of what was said. */
const LABELS: ReadonlySet<string> = new Set(['id', 'type', 'status', 'role', 'phase', 'object']);

/**
 * What an item must have to be more than a name of one that the provider keeps, by its type, folded. Other types need any
 * member that is no label.
 */
const CONTENT_OF: Readonly<Record<string, readonly string[]>> = {
  reasoning: ['encrypted_content', 'content', 'summary'],
  compaction: ['encrypted_content'],
  compactionsummary: ['encrypted_content'],
  imagegenerationcall: ['result'],
};

/**
 * True for an item of `input` that only names an item stored at the provider: an `item_reference` in any spelling, or an
 * item with an `id` and without content. The id of an item with content is harmless: requests are sent with
 * `store: false`, and the content counts.
 */
export function isStoredItem(item: JsonObject): boolean {
  const type = item['type'] ?? 'message';
  const folded = typeof type === 'string' ? foldNameLoosely(type.trim()) : '';
  if (folded === 'itemreference') return true;
  if (isEmpty(item['id'])) return false;
  // An answer without words is a whole message.
  if (folded === 'message') return (item['content'] ?? null) === null;
  const content = Object.hasOwn(CONTENT_OF, folded) ? CONTENT_OF[folded] : undefined;
  return (content ?? Object.keys(item).filter((name) => !LABELS.has(name))).every((name) =>
    isEmpty(item[name]),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  return (Array.isArray(value) ? value : Object.keys(value)).length === 0;
}

/** The ids of the approvals that `input` asks for. */
export function findApprovalRequests(input: readonly unknown[]): ReadonlySet<unknown> {
  const items = input.map(asObject);
  return new Set(items.flatMap((item) => (item?.['type'] === 'mcp_approval_request' ? [item['id']] : [])));
}

/** True for the approval of a call that `input` does not hold: the provider would look for it among what it keeps. */
export function approvesStoredCall(item: JsonObject, requestIds: ReadonlySet<unknown>): boolean {
  return item['type'] === 'mcp_approval_response' && !requestIds.has(item['approval_request_id']);
}
