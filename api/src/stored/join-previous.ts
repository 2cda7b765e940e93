import { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { parseJson, parseJsonObject, asObject } from '@tollgate/dialects/json/parse-object';
import { scanBody } from '@tollgate/dialects/json/scan-body';
import { isStoredItem } from '@tollgate/dialects/openai-responses/stored-item';
import { isItemInput, joinLists, toItemList } from './item-lists.ts';

export const PREVIOUS = 'previous_response_id';

/** A stored response that a request continues. */
export interface PreviousResponse {
  response: Buffer;
  input: Buffer;
}

/**
 * Finds the response that a request continues. A body with two meanings is refused here: it would be edited otherwise.
 * @returns null: none, or the parser refuses the body
 */
export function findPreviousId(body: Buffer): Result<string | null> {
  const ambiguous = scanBody(body);
  if (ambiguous !== null) return { ok: false, error: ambiguous };
  if (parseJsonObject(body.toString('utf8')) === null) return { ok: true, value: null };
  const id = parseJson(new JsonObjectBytes(body).getText(PREVIOUS) ?? 'null') ?? null;
  if (id === null || typeof id === 'string') return { ok: true, value: id };
  return deny('invalid_request', `${PREVIOUS} must be a string.`, { param: PREVIOUS });
}

/**
 * Writes the input and the output of the previous response before the input of a request.
 * @param body checked by `findPreviousId`
 */
export function joinPrevious(body: Buffer, { response, input }: PreviousResponse): Result<Buffer> {
  const object = new JsonObjectBytes(body);
  const place = object.findPlace('input');
  // Without an input, or with one that is neither a text nor a list, the parser refuses the request.
  if (place === null || !isItemInput(body.subarray(place.start, place.end)))
    return { ok: true, value: object.edit({ drops: [PREVIOUS], changes: {} }) };
  const own = toItemList(body.subarray(place.start, place.end));
  const list = joinLists([input, getHistory(response), own]);
  if (body.length + list.length - (place.end - place.start) > BODY_LIMITS.maxBytes)
    return CONVERSATION_TOO_LARGE;
  return { ok: true, value: object.edit({ drops: [PREVIOUS], changes: { input: list.toString('utf8') } }) };
}

export const CONVERSATION_TOO_LARGE = deny(
  'request_too_large',
  `With the stored conversation, the request body is larger than ${BODY_LIMITS.maxBytes / 1024 / 1024} MiB. Start a new conversation.`,
  { param: PREVIOUS },
);

/** The output that the next request repeats. Items of the provider that only name what it kept are left out. */
function getHistory(response: Buffer): Buffer {
  const output = parseJsonObject(response.toString('utf8'))?.['output'];
  const items = Array.isArray(output) ? output.map(asObject) : [];
  return Buffer.from(JSON.stringify(items.filter((item) => item !== null && !isStoredItem(item))));
}
