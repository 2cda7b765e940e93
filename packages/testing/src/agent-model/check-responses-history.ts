import { asObject } from '../fake-provider/parse-completion-request.ts';
import { findHiddenReasoning } from './reasoning-signature.ts';
import { asList } from './read-chat-request.ts';
import { refuse } from './refusal.ts';
import type { Refusal } from './seen-conversation.ts';

type Item = Record<string, unknown>;

const MAX_ID = 64;
/** Prefix of the ids of each kind of item. */
const ID_PREFIX: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
};
/** The kind of item that answers each kind of call. */
const RESULT_OF: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  tool_search_call: 'tool_search_output',
};
const RESULTS = new Set(Object.values(RESULT_OF));

/**
 * Errors of the Responses API for a conversation without stored state, with its messages
 * (https://developers.openai.com/api/docs/guides/reasoning#encrypted-reasoning-items).
 */
export function* findResponsesHistoryViolations(body: Record<string, unknown>): Generator<Refusal> {
  const items = asList(body['input']).map(asObject);
  if (Array.isArray(body['input']) && items.length === 0)
    yield refuse('input', "Invalid 'input': empty array. Expected an array with minimum length 1.");
  if (typeof body['previous_response_id'] === 'string')
    yield refuse('previous_response_id', 'Previous response not found.', 'previous_response_not_found');
  const calls = new Map<unknown, string>();
  const answered = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    yield* findItemViolations(item, index, items[index + 1]);
    const type = String(item['type']);
    const id = item['call_id'];
    if (type in RESULT_OF) {
      if (calls.has(id)) yield refuse(`input[${index}]`, `Duplicate call_id '${String(id)}'.`);
      calls.set(id, type);
    }
    if (!RESULTS.has(type)) continue;
    if (RESULT_OF[calls.get(id) ?? ''] !== type)
      yield refuse(
        'input',
        `No tool call found for ${type.replaceAll('_', ' ')} with call_id ${String(id)}.`,
      );
    if (answered.has(id)) yield refuse('input', `Duplicate tool output for call_id ${String(id)}.`);
    answered.add(id);
  }
  for (const [id, type] of calls)
    if (!answered.has(id))
      yield refuse('input', `No tool output found for ${type.replaceAll('_', ' ')} ${String(id)}.`);
}

function* findItemViolations(item: Item, index: number, next: Item | undefined): Generator<Refusal> {
  const { id, type = 'message', call_id: callId } = item;
  const place = `input[${index}]`;
  if (type === 'item_reference')
    yield refuse(
      'input',
      `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false.`,
    );
  const prefix = ID_PREFIX[String(type)];
  if (typeof id === 'string' && prefix !== undefined) {
    if (!id.startsWith(`${prefix}_`))
      yield refuse(
        `${place}.id`,
        `Invalid '${place}.id': '${id}'. Expected an ID that begins with '${prefix}'.`,
      );
    if (id.length > MAX_ID) yield tooLong(`${place}.id`);
  }
  if (typeof callId === 'string' && callId.length > MAX_ID) yield tooLong(`${place}.call_id`);
  if (type !== 'reasoning') return;
  if (typeof item['encrypted_content'] !== 'string')
    yield refuse(
      'input',
      `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false.`,
    );
  else if (findHiddenReasoning(item['encrypted_content']) === null)
    yield refuse(
      place,
      `The encrypted content for item ${String(id)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      'invalid_encrypted_content',
    );
  const role = next?.['role'] ?? 'assistant';
  if (next === undefined || role !== 'assistant' || RESULTS.has(String(next['type'])))
    yield refuse(
      'input',
      `Item '${String(id)}' of type 'reasoning' was provided without its required following item.`,
    );
}

function tooLong(param: string): Refusal {
  return refuse(
    param,
    `Invalid '${param}': string too long. Expected a string with maximum length ${MAX_ID}.`,
    'string_above_max_length',
  );
}
