import { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { writeJson } from '@tollgate/dialects/json/heap-guard';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { isSummaryMessage } from '@tollgate/dialects/openai-responses/carried/compaction';
import { scanBody } from '@tollgate/dialects/json/scan-body';
import { joinLists, toItemList } from '../stored/item-lists.ts';
import { showItem } from '../stored/shown-item.ts';

const PROMPT = `The conversation so far is about to be replaced by your answer, so that it fits into the context again. Write everything that is needed to continue it without the original: the goal and the constraints, what was done and decided and why, results of tools that still matter (names, paths, values, errors), the present state, and the next steps. Be complete and brief. Answer with this summary only.`;
/** Enough for a summary and the reasoning before it. */
const MAX_OUTPUT_TOKENS = 16_384;
/** Members that shape another answer than a text. */
const DROPS = [
  'stream',
  'stream_options',
  'background',
  'text',
  'include',
  'max_output_tokens',
  'max_tool_calls',
  'parallel_tool_calls',
  'context_management',
  'store',
];

/** A compaction, as a request for a response. */
export interface SummaryRequest<Bytes = Buffer> {
  body: Bytes;
  /** The messages of the user, which remain, as a JSON list of output items. */
  kept: Bytes;
}

/**
 * Turns `POST /v1/responses/compact` into a request for a summary. Tools and instructions stay, so that the provider finds
 * the conversation in its prompt cache, and accepts the calls in it.
 * @returns the body itself if it is invalid: the parser reports why
 */
export function writeSummaryRequest(body: Buffer): Result<SummaryRequest> {
  const ambiguous = scanBody(body);
  if (ambiguous !== null) return { ok: false, error: ambiguous };
  const given = parseJsonObject(body.toString('utf8'));
  if (given !== null && (given['conversation'] ?? null) !== null) return NO_CONVERSATION;
  if (given === null || !hasConversation(given)) return { ok: true, value: { body, kept: EMPTY_LIST } };
  const object = new JsonObjectBytes(body);
  const place = (given['input'] ?? null) === null ? null : object.findPlace('input');
  const own = place === null ? EMPTY_LIST : toItemList(body.subarray(place.start, place.end));
  const isList = place === null || typeof given['input'] === 'string' || Array.isArray(given['input']);
  const input = isList ? joinLists([own, ASK]).toString('utf8') : writeJson(given['input']);
  const changes = {
    input,
    store: 'false',
    max_output_tokens: String(MAX_OUTPUT_TOKENS),
    ...(hasTools(given) ? { tool_choice: '"none"' } : {}),
  };
  const drops = hasTools(given) ? DROPS : [...DROPS, 'tools', 'tool_choice'];
  return { ok: true, value: { body: object.edit({ drops, changes }), kept: listKept(given['input']) } };
}

/** Lists the messages that remain in a request for a summary, after what it continues was written into its input. */
export function listContinuedMessages(body: Buffer): Buffer {
  // The parser reports why.
  if (scanBody(body) !== null) return EMPTY_LIST;
  const input = parseJsonObject(body.toString('utf8'))?.['input'];
  // The last item asks for the summary.
  return listKept(Array.isArray(input) ? input.slice(0, -1) : []);
}

const EMPTY_LIST = Buffer.from('[]');
const ASK = Buffer.from(JSON.stringify([{ role: 'user', content: PROMPT }]));
const NO_CONVERSATION = deny(
  'invalid_request',
  'A conversation is not compacted by its id. Send its items in input, or use previous_response_id.',
  { param: 'conversation' },
);

function hasConversation({ input, previous_response_id: previousId }: JsonObject): boolean {
  const isEmpty = (input ?? '') === '' || (Array.isArray(input) && input.length === 0);
  return !isEmpty || (previousId ?? null) !== null;
}

function hasTools({ tools }: JsonObject): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

function listKept(input: unknown): Buffer {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const given = Array.isArray(items) ? items.map((item) => asObject(item) ?? {}) : [];
  const users = given.filter((item) => isOfUser(item) && !isSummaryMessage(item));
  const ids = createIds(new Set(users.map(({ id }) => id)));
  return Buffer.from(writeJson(users.map((item) => showItem(item, ids.next().value))));
}

function isOfUser({ role, type }: JsonObject): boolean {
  return role === 'user' && (type ?? 'message') === 'message';
}

/** Ids for messages without one, different from those of messages that an earlier compaction kept. */
function* createIds(taken: ReadonlySet<unknown>): Generator<string, never> {
  for (let at = 0; ; at += 1) if (!taken.has(`msg_kept_${at}`)) yield `msg_kept_${at}`;
}
