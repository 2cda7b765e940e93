import { Buffer } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CONVERSATION_LIMITS } from '@tollgate/core/requests/stored-responses';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import type { ConversationPart } from '../conversations/conversation-store.ts';
import { removeItem } from '../conversations/remove-item.ts';
import type { ApiDeps } from '../deps.ts';
import { JSON_TYPE } from '../pipeline/content-types.ts';
import { NO_MEMORY_FOR_RESPONSES } from '../pipeline/upstream-failure.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { removeInThread, writeListInThread } from '../request-body/parse-in-thread.ts';
import { CONVERSATION_LOCKED } from '../stored/continue-response.ts';
import { UNREADABLE } from '../stored/explain-unreadable.ts';
import { CONVERSATION_TOO_LARGE } from '../stored/join-history.ts';
import { parsePageQuery } from '../stored/list-page.ts';
import { writeList, type ListQuery } from '../stored/write-page.ts';
import type { StoredRequest } from './answer-stored.ts';
import {
  answerAdding,
  answerForKeeper,
  conversationNotFound,
  NO_ROOM,
  sendJson,
  toView,
} from './conversations.ts';

/** A request for one item of a conversation. */
export interface ItemRequest extends StoredRequest {
  itemId: string;
}

/** Reading a small part takes as long as so many bytes. */
const PART_BYTES = 1024;
const WHOLE_LIST = { limit: 100, isAscending: true, after: null };

/** `POST /v1/conversations/{id}/items`: https://platform.openai.com/docs/api-reference/conversations/create-items */
export function answerItemCreation(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerAdding(deps, request, async ({ exchange, key, id }, { items }, onTaken) => {
    if (items === null) return NO_ITEMS;
    const place = { accountId: key.accountId, id };
    const { conversations } = deps.stored;
    const size = await conversations.findSize(place);
    if (size === null) return conversationNotFound(id);
    if (size + items.length > BODY_LIMITS.maxBytes)
      return { ...CONVERSATION_TOO_LARGE.error, param: 'items' };
    const added = await conversations.add(place, items);
    if (added.outcome !== 'added') return explain(added.outcome, id);
    const page = await write(deps, request, toList([{ id: added.id, items }]), WHOLE_LIST);
    if (!page?.ok || page.value === null) return page?.ok === false ? page.error : UNREADABLE;
    exchange.sendPieces(200, JSON_TYPE, [page.value], onTaken);
    return null;
  });
}

function explain(outcome: 'locked' | 'full' | 'missing' | 'no_room', id: string): GatewayError {
  switch (outcome) {
    case 'locked':
      return LOCKED;
    case 'full':
      return FULL;
    case 'missing':
      return conversationNotFound(id);
    case 'no_room':
      return NO_ROOM;
  }
}

/** `GET /v1/conversations/{id}/items`: https://platform.openai.com/docs/api-reference/conversations/list-items */
export function answerItemList(deps: ApiDeps, request: StoredRequest): Promise<void> {
  const query = parsePageQuery(request.exchange.query);
  return answerForKeeper(deps, request, (given) =>
    query.ok ? answerItems(deps, given, query.value, NO_PAGE) : Promise.resolve(query.error),
  );
}

/** `GET /v1/conversations/{id}/items/{item_id}`: https://platform.openai.com/docs/api-reference/conversations/get-item */
export function answerItem(deps: ApiDeps, request: ItemRequest): Promise<void> {
  const { itemId } = request;
  return answerForKeeper(deps, request, (given) =>
    answerItems(deps, given, { itemId }, itemNotFound(itemId)),
  );
}

/** `DELETE /v1/conversations/{id}/items/{item_id}`: https://platform.openai.com/docs/api-reference/conversations/delete-item */
export function answerItemDeletion(deps: ApiDeps, request: ItemRequest): Promise<void> {
  const { itemId } = request;
  return answerForKeeper(deps, request, ({ exchange, key, id }) =>
    withParts(deps, { key, id }, async (parts, onTaken, view) => {
      const { conversations } = deps.stored;
      let searchedBytes = 0;
      for (const part of parts) {
        searchedBytes += part.items.length + PART_BYTES;
        if (searchedBytes > BODY_LIMITS.maxOnLoopBytes) {
          searchedBytes = 0;
          await nextTurn();
        }
        const without = await remove(deps, request, part, itemId);
        if (without === null || !without.ok) return without === null ? UNREADABLE : without.error;
        if (without.value === null) continue;
        if (!(await conversations.replace({ accountId: key.accountId, id }, part, without.value)))
          return LOCKED;
        sendJson(exchange, view);
        onTaken();
        return null;
      }
      return itemNotFound(itemId);
    }),
  );
}

function answerItems(
  deps: ApiDeps,
  request: StoredRequest,
  query: ListQuery,
  missing: GatewayError,
): Promise<GatewayError | null> {
  return withParts(deps, request, async (parts, onTaken) => {
    const found = await write(deps, request, toList(parts), query);
    if (found?.ok === false) return found.error;
    // Nothing reaches a caller that has disconnected.
    if (found === null || found.value === null) return missing;
    request.exchange.sendPieces(200, JSON_TYPE, [found.value], onTaken);
    return null;
  });
}

/** Reads the items of a conversation. Their memory is reserved first, until the caller has the response. */
async function withParts(
  { stored: { conversations }, largeAnswers }: ApiDeps,
  { key: { accountId }, id }: Pick<StoredRequest, 'key' | 'id'>,
  answer: (parts: ConversationPart[], onTaken: () => void, view: object) => Promise<GatewayError | null>,
): Promise<GatewayError | null> {
  const place = { accountId, id };
  const found = await conversations.find(place);
  if (found === null) return conversationNotFound(id);
  const reservation = largeAnswers.budget.open(accountId);
  let isSent = false;
  try {
    // Once as parts, once as what is made of them.
    if (reservation.grow(2 * found.size) !== null) return NO_MEMORY_FOR_RESPONSES;
    const parts = await conversations.readParts(place);
    const error = await answer(parts, () => reservation.release(), toView(found));
    isSent = error === null;
    return error;
  } finally {
    if (!isSent) reservation.release();
  }
}

/** The JSON list of parts that `writeList` reads. */
function toList(parts: readonly Pick<ConversationPart, 'id' | 'items'>[]): Buffer {
  const pieces = parts.flatMap(({ id, items }, at) => [
    Buffer.from(`${at === 0 ? '' : ','}{"id":${JSON.stringify(id)},"items":`),
    items,
    Buffer.from('}'),
  ]);
  return Buffer.concat([Buffer.from('['), ...pieces, Buffer.from(']')]);
}

async function write(
  { bodyWorkers }: ApiDeps,
  { exchange, key }: StoredRequest,
  list: Buffer,
  query: ListQuery,
): Promise<Result<Buffer | null> | null> {
  if (!isForThread(list)) return { ok: true, value: writeList(list, 'conversation', query) };
  const isWanted = () => !exchange.isDisconnected;
  const asked = { source: 'conversation', query } as const;
  return writeListInThread(bodyWorkers, asked, { body: list, owner: key.accountId, isWanted });
}

async function remove(
  { bodyWorkers }: ApiDeps,
  { exchange, key }: StoredRequest,
  { id: partId, items }: ConversationPart,
  itemId: string,
): Promise<Result<Buffer | null> | null> {
  if (!isForThread(items)) return { ok: true, value: removeItem(items, partId, itemId) };
  const isWanted = () => !exchange.isDisconnected;
  return removeInThread(bodyWorkers, { partId, itemId }, { body: items, owner: key.accountId, isWanted });
}

const LOCKED: GatewayError = { ...CONVERSATION_LOCKED.error, param: 'conversation_id' };
const FULL = deny(
  'request_too_large',
  `The conversation is full: it has as many items as fit into one request, or was added to ${CONVERSATION_LIMITS.maxParts} times. Start a new conversation.`,
  { param: 'items' },
).error;
const NO_PAGE = deny('invalid_request', 'after is not the id of an item.', { param: 'after' }).error;
const NO_ITEMS = deny('invalid_request', 'items is required and must have at least one entry.', {
  param: 'items',
}).error;

function itemNotFound(itemId: string): GatewayError {
  return deny('conversation_item_not_found', `Item with id '${itemId.slice(0, 100)}' not found.`).error;
}
