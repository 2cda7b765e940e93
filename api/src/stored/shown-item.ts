import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { carriesItem, openItemId } from '@tollgate/dialects/openai-responses/carried/item-id';

/**
 * An item as lists show it: with an id, a type and a list of parts
 * (https://platform.openai.com/docs/api-reference/responses/list-input-items).
 * @param ownId for an item without an id
 */
export function showItem(item: unknown, ownId: string): JsonObject & { id: string } {
  const given = asObject(item) ?? {};
  const { id, type = 'message', role, content, ...rest } = given;
  const shown = { id: readId(id) ?? ownId, type, ...rest };
  if (type !== 'message') return { ...shown, ...(content === undefined ? {} : { content }) };
  const kind = role === 'assistant' ? 'output_text' : 'input_text';
  const parts = typeof content === 'string' ? [{ type: kind, text: content }] : content;
  return { ...shown, status: given['status'] ?? 'completed', role, content: parts };
}

/** The id that the provider gave, without an item that it carries. */
function readId(id: unknown): string | null {
  if (typeof id !== 'string' || id === '') return null;
  return (carriesItem(id) ? openItemId(id)?.items[0]?.id : null) ?? id;
}
