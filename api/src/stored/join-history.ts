import { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { writeJson } from '@tollgate/dialects/json/heap-guard';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { asObject, parseJson, parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { isStoredItem } from '@tollgate/dialects/openai-responses/stored-item';
import { expandBody } from '../request-body/expand-body.ts';
import { isItemInput, joinLists, toItemList } from './item-lists.ts';
import { PREVIOUS, STATE_MEMBERS } from './state-members.ts';

/** A part of what a request continues. */
export interface HistoryPart<Bytes = Buffer> {
  /** `input`: a list of items. `response`: a response, whose output is meant. `part`: a part of a conversation. */
  kind: 'input' | 'response' | 'part';
  bytes: Bytes;
}

export interface JoinedBody<Bytes = Buffer> {
  body: Bytes;
  /** The items that the request adds, as a JSON list; null: not needed. */
  own: Bytes | null;
}

/**
 * Writes what a request continues before its input, and takes out the members that refer to it.
 * @param given checked by `readState`
 */
export function joinHistory(
  given: Buffer,
  history: readonly HistoryPart[],
  wantsOwn: boolean,
): Result<JoinedBody> {
  // Items that its ids carry belong to the conversation, not their ids.
  const expanded = wantsOwn ? expandBody('/v1/responses', given) : { ok: true as const, value: given };
  if (!expanded.ok) return expanded;
  const body = expanded.value;
  const object = new JsonObjectBytes(body);
  const place = history.length === 0 && !wantsOwn ? null : object.findPlace('input');
  // Without an input, or with one that is neither a text nor a list, the parser refuses the request.
  if (place === null || !isItemInput(body.subarray(place.start, place.end)))
    return { ok: true, value: { body: object.edit({ drops: STATE_MEMBERS, changes: {} }), own: null } };
  const own = toItemList(body.subarray(place.start, place.end));
  const list = joinLists([...history.map(toList), own]);
  if (body.length + list.length - (place.end - place.start) > BODY_LIMITS.maxBytes)
    return CONVERSATION_TOO_LARGE;
  const changes = { input: list.toString('utf8') };
  const joined = object.edit({ drops: STATE_MEMBERS, changes });
  return { ok: true, value: { body: joined, own: wantsOwn ? Buffer.from(own) : null } };
}

export const CONVERSATION_TOO_LARGE = deny(
  'request_too_large',
  `With the stored conversation, the request body is larger than ${BODY_LIMITS.maxBytes / 1024 / 1024} MiB. Start a new conversation.`,
  { param: PREVIOUS },
);

function toList({ kind, bytes }: HistoryPart): Buffer {
  if (kind === 'input') return bytes;
  const text = bytes.toString('utf8');
  return repeat(kind === 'part' ? parseJson(text) : parseJsonObject(text)?.['output']);
}

/** The items that the next request repeats: none that was deleted, or that only names what a provider kept. */
function repeat(given: unknown): Buffer {
  const items = Array.isArray(given) ? given.map(asObject) : [];
  return Buffer.from(writeJson(items.filter((item) => item !== null && !isStoredItem(item))));
}
