import type { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { asObject, parseJson, parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { scanBody } from '@tollgate/dialects/json/scan-body';

export const PREVIOUS = 'previous_response_id';
export const CONVERSATION = 'conversation';
const BACKGROUND = 'background';

/** Members of a request that refer to what the gateway stores. No provider gets them. */
export const STATE_MEMBERS = [PREVIOUS, CONVERSATION, BACKGROUND] as const;

/** What a request asks of the gateway's own memory. */
export interface StateMembers {
  /** The response that it continues; null: none. */
  previousId: string | null;
  /** The conversation that it continues and adds to; null: none. */
  conversationId: string | null;
  isBackground: boolean;
}

const NOTHING: StateMembers = { previousId: null, conversationId: null, isBackground: false };

/**
 * Reads them. A body with two meanings is refused here: it would be edited otherwise.
 * @returns nothing for a body that the parser refuses
 */
export function readState(body: Buffer): Result<StateMembers> {
  const ambiguous = scanBody(body);
  if (ambiguous !== null) return { ok: false, error: ambiguous };
  if (parseJsonObject(body.toString('utf8')) === null) return { ok: true, value: NOTHING };
  const object = new JsonObjectBytes(body);
  const read = (name: string) => parseJson(object.getText(name) ?? 'null') ?? null;
  const previousId = read(PREVIOUS);
  if (previousId !== null && typeof previousId !== 'string')
    return deny('invalid_request', `${PREVIOUS} must be a string.`, { param: PREVIOUS });
  const conversation = read(CONVERSATION);
  const conversationId = asObject(conversation)?.['id'] ?? conversation;
  if (conversationId !== null && conversationId !== false && typeof conversationId !== 'string')
    return deny('invalid_request', `${CONVERSATION} must be an id, or an object with an id.`, {
      param: CONVERSATION,
    });
  const isAdding = typeof conversationId === 'string';
  if (isAdding && previousId !== null) return EITHER;
  if (isAdding && read('store') === false) return NOT_ADDED;
  const isBackground = read(BACKGROUND) ?? false;
  if (typeof isBackground !== 'boolean')
    return deny('invalid_request', `${BACKGROUND} must be true or false.`, { param: BACKGROUND });
  if (isBackground && read('store') === false) return NOT_STORED;
  if (isBackground && read('stream') === true) return NO_STREAM;
  return { ok: true, value: { previousId, conversationId: isAdding ? conversationId : null, isBackground } };
}

const EITHER = deny('invalid_request', `${PREVIOUS} and ${CONVERSATION} cannot be used together.`, {
  param: PREVIOUS,
});
const NOT_ADDED = deny(
  'invalid_request',
  'A response is added to its conversation when it is stored. Leave out store: false.',
  { param: 'store' },
);
const NOT_STORED = deny(
  'invalid_request',
  'A response in the background is stored, so that it can be read later. Leave out store: false.',
  { param: 'store' },
);
const NO_STREAM = deny(
  'invalid_request',
  'A response in the background is not streamed. Leave out stream, and get the response by its id until it has ended.',
  { param: 'stream' },
);
