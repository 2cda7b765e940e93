import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { readAddedItems, type AddedItems } from '../conversations/added-items.ts';
import type { ConversationView } from '../conversations/conversation-store.ts';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import { JSON_TYPE } from '../pipeline/content-types.ts';
import { checkContentType } from '../request-body/check-content-type.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { readAddedInThread } from '../request-body/parse-in-thread.ts';
import { UNREADABLE } from '../stored/explain-unreadable.ts';
import { answerStored, type StoredRequest } from './answer-stored.ts';

/** `POST /v1/conversations`: https://platform.openai.com/docs/api-reference/conversations/create */
export function answerConversationCreation(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerAdding(deps, request, async ({ exchange, key }, { items, metadata }, onTaken) => {
    const created = await deps.stored.conversations.create(key.accountId, metadata ?? {}, items);
    if (created === null) return NO_ROOM;
    sendJson(exchange, created);
    onTaken();
    return null;
  });
}

/** `GET /v1/conversations/{id}`: https://platform.openai.com/docs/api-reference/conversations/retrieve */
export function answerConversation(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerForKeeper(deps, request, async ({ exchange, key, id }) => {
    const found = await deps.stored.conversations.find({ accountId: key.accountId, id });
    if (found === null) return conversationNotFound(id);
    sendJson(exchange, toView(found));
    return null;
  });
}

/** `POST /v1/conversations/{id}`: https://platform.openai.com/docs/api-reference/conversations/update */
export function answerConversationUpdate(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerAdding(deps, request, async ({ exchange, key, id }, { metadata }, onTaken) => {
    if (metadata === null) return NO_METADATA;
    const place = { accountId: key.accountId, id };
    const { conversations } = deps.stored;
    const found = await conversations.find(place);
    if (found === null || !(await conversations.setMetadata(place, metadata)))
      return conversationNotFound(id);
    sendJson(exchange, { ...toView(found), metadata });
    onTaken();
    return null;
  });
}

/** `DELETE /v1/conversations/{id}`: https://platform.openai.com/docs/api-reference/conversations/delete */
export function answerConversationDeletion(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerForKeeper(deps, request, async ({ exchange, key, id }) => {
    const place = { accountId: key.accountId, id };
    const { conversations } = deps.stored;
    if ((await conversations.findSize(place)) === null) return conversationNotFound(id);
    await conversations.delete(place);
    sendJson(exchange, { id, object: 'conversation.deleted', deleted: true });
    return null;
  });
}

/** Answers a request for conversations. It is free. Refuses accounts that store none. */
export function answerForKeeper(
  deps: ApiDeps,
  request: StoredRequest,
  answer: (request: StoredRequest) => Promise<GatewayError | null>,
): Promise<void> {
  return answerStored(deps, request, (given) =>
    given.key.keepsResponses ? answer(given) : Promise.resolve(NOT_STORED),
  );
}

/**
 * The same with the body of the request, and its memory.
 * @param answer calls `onTaken` when the caller has the response, unless it returns an error
 */
export function answerAdding(
  deps: ApiDeps,
  request: StoredRequest,
  answer: (request: StoredRequest, added: AddedItems, onTaken: () => void) => Promise<GatewayError | null>,
): Promise<void> {
  return answerForKeeper(deps, request, async (given) => {
    const { exchange, key } = given;
    const { accountId: owner } = key;
    const wrongType = checkContentType(exchange);
    if (wrongType !== null) return wrongType;
    const reservation = deps.bodyBudget.open(owner);
    let isSent = false;
    try {
      const body = await exchange.readBody({
        maxBytes: BODY_LIMITS.maxBytes,
        reservation,
        pace: deps.bodyPace,
        turns: deps.bodyTurns,
        owner,
      });
      if (!body.ok) return body.error;
      const isWanted = () => !exchange.isDisconnected;
      const added = isForThread(body.value)
        ? await readAddedInThread(deps.bodyWorkers, { body: body.value, owner, isWanted })
        : readAddedItems(body.value);
      // Nothing reaches a caller that has disconnected.
      if (added === null) return UNREADABLE;
      if (!added.ok) return added.error;
      const error = await answer(given, added.value, () => reservation.release());
      isSent = error === null;
      return error;
    } finally {
      if (!isSent) reservation.release();
    }
  });
}

/** Without what only the gateway knows. */
export function toView({ id, object, created_at, metadata }: ConversationView): ConversationView {
  return { id, object, created_at, metadata };
}

export function sendJson(exchange: Exchange, body: object): void {
  exchange.send(200, JSON_TYPE, JSON.stringify(body));
}

export function conversationNotFound(id: string): GatewayError {
  return deny('conversation_not_found', `Conversation with id '${id.slice(0, 100)}' not found.`).error;
}

const NOT_STORED = deny(
  'unsupported_parameter',
  'Conversations are not supported: this account does not store responses. An owner or admin of the account can turn on stored responses in the console, on the Team page.',
).error;
const NO_METADATA = deny('invalid_request', 'metadata is required. Send null to remove it.', {
  param: 'metadata',
}).error;
export const NO_ROOM = deny(
  'ledger_unavailable',
  'The conversation or its items could not be stored: the account has no room for more. Delete stored responses or conversations.',
).error;
