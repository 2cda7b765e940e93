import { asObject, type JsonObject } from '../../json/parse-object.ts';
import { carriesItem, openItemId, sealItems } from './item-id.ts';

const TYPES: ReadonlySet<unknown> = new Set(['compaction', 'compaction_summary']);
const SUMMARY_END = '_summary';
const INTRODUCTION = 'Summary of the earlier conversation, which it replaces:\n\n';

/** The text of the user that a model gets in place of the conversation. */
export const introduceSummary = (summary: string): string => INTRODUCTION + summary;

/**
 * Writes the item that replaces a conversation (https://platform.openai.com/docs/guides/compaction). Like the ids of items,
 * its content carries the summary, so any provider can continue the conversation and nothing is stored.
 * @param stem makes its ids unique
 */
export function createCompactionItem(summary: string, stem: string): JsonObject & { id: string } {
  const message = {
    id: `msg_${stem}${SUMMARY_END}`,
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: introduceSummary(summary) }],
  };
  return {
    id: `cmp_${stem}`,
    type: 'compaction',
    encrypted_content: sealItems('compaction', JSON.stringify({ item: message })),
  };
}

/** True for the message that a compaction becomes in a request. */
export function isSummaryMessage({ role, id, content }: JsonObject): boolean {
  if (role !== 'user' || typeof id !== 'string' || !id.endsWith(SUMMARY_END)) return false;
  const text = Array.isArray(content) ? asObject(content[0])?.['text'] : null;
  return typeof text === 'string' && text.startsWith(INTRODUCTION);
}

/** True for a compaction that was issued here, even if it was changed later. Those of providers are theirs to read. */
export function isOwnCompaction(item: JsonObject | null): item is JsonObject & { encrypted_content: string } {
  return item !== null && TYPES.has(item['type']) && carriesItem(item['encrypted_content']);
}

/** @returns the JSON of its message; null if it was changed */
export function openCompaction({ encrypted_content: content }: { encrypted_content: string }): string | null {
  return openItemId(content)?.items[0]?.json ?? null;
}
