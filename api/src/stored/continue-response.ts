import type { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import type { Logger } from 'pino';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import { ConversationTurn } from '../conversations/conversation-turn.ts';
import type { EndpointSpec } from '../endpoints.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { joinInThread, readStateInThread } from '../request-body/parse-in-thread.ts';
import { shortageError } from '../request-body/read-limits.ts';
import { BodyJobFailed, type BodyWorkers } from '../request-body/worker/body-workers.ts';
import { explainUnreadable } from './explain-unreadable.ts';
import { CONVERSATION_TOO_LARGE, joinHistory, type HistoryPart, type JoinedBody } from './join-history.ts';
import type { ResponseStore } from './response-store.ts';
import { CONVERSATION, PREVIOUS, readState, STATE_MEMBERS, type StateMembers } from './state-members.ts';
import type { StoredState } from './stored-state.ts';

interface ContinueDeps {
  stored: Pick<StoredState, 'responses' | 'conversations'>;
  bodyWorkers: BodyWorkers;
  log: Pick<Logger, 'error' | 'warn'>;
}

export interface ContinuingRequest {
  key: Pick<CachedKey, 'accountId' | 'keepsResponses'>;
  spec: Pick<EndpointSpec, 'endpoint'>;
  exchange: Pick<Exchange, 'isDisconnected' | 'requestId'>;
  body: Buffer;
  /** The memory of the body. */
  reservation: BodyReservation;
}

/** A body that contains everything it refers to. */
export interface ContinuedBody {
  body: Buffer;
  /** null: the request continues no response. */
  previousResponseId: string | null;
  /** The conversation that its response will be added to; null: none. */
  turn: ConversationTurn | null;
  /** The response runs without its caller. */
  isBackground: boolean;
}

/**
 * True if the request may refer to what its account stores. In a large body, only plain names are searched, because the search
 * for escapes blocks the event loop: with an escaped name, which no client writes, the request is refused by its contract.
 */
export function mayContinue({ key, spec, body }: Pick<ContinuingRequest, 'key' | 'spec' | 'body'>): boolean {
  if (!key.keepsResponses || !spec.endpoint.startsWith('/v1/responses')) return false;
  if (body.length > BODY_LIMITS.maxOnLoopBytes)
    return STATE_MEMBERS.some((name) => body.includes(`"${name}"`));
  const object = new JsonObjectBytes(body);
  return STATE_MEMBERS.some((name) => object.mayHave(name));
}

/**
 * Writes what a request continues before its input, so that everything after this reads what the provider is sent.
 * The instructions of the previous response are not inherited
 * (https://platform.openai.com/docs/api-reference/responses/create#responses-create-previous_response_id).
 * Memory is reserved before anything is read, and large parts are joined in a thread.
 * @returns null if the caller has disconnected
 * @throws BodyJobFailed if the thread throws
 */
export async function continueResponse(
  deps: ContinueDeps,
  request: ContinuingRequest,
): Promise<Result<ContinuedBody> | null> {
  const { key, exchange, body } = request;
  const ofCaller = { owner: key.accountId, isWanted: () => !exchange.isDisconnected };
  const read = isForThread(body)
    ? await readStateInThread(deps.bodyWorkers, { body, ...ofCaller })
    : { ok: true as const, value: { body, state: readState(body) } };
  if (read?.ok !== true) return read;
  const { body: own, state } = read.value;
  if (!state.ok) return state;
  const { previousId: previousResponseId, conversationId, isBackground } = state.value;
  // The body may be invalid: the parser decides.
  if (previousResponseId === null && conversationId === null && !isBackground)
    return { ok: true, value: { body: own, previousResponseId, turn: null, isBackground } };
  let turn: ConversationTurn | null = null;
  try {
    if (conversationId !== null && request.spec.endpoint === '/v1/responses') {
      const taken = await takeTurn(deps, request, conversationId);
      if (!taken.ok) return taken;
      turn = taken.value;
    }
    const joined = await join(deps, { ...request, body: own }, state.value);
    if (joined?.ok !== true) {
      await turn?.release();
      return joined;
    }
    if (turn !== null && joined.value.own !== null) turn.ownItems = joined.value.own;
    return { ok: true, value: { body: joined.value.body, previousResponseId, turn, isBackground } };
  } catch (error) {
    await turn?.release();
    if (error instanceof BodyJobFailed) throw error;
    deps.log.error({ err: error }, 'what a request continues could not be read');
    return { ok: false, error: explainUnreadable(error) };
  }
}

/** Takes a conversation for one request: two at the same time would continue without each other. */
async function takeTurn(
  { stored: { conversations } }: ContinueDeps,
  { key: { accountId }, exchange: { requestId } }: ContinuingRequest,
  conversationId: string,
): Promise<Result<ConversationTurn>> {
  const place = { accountId, id: conversationId };
  if ((await conversations.findSize(place)) === null) return noConversation(conversationId);
  if (!(await conversations.lock(place, requestId))) return CONVERSATION_LOCKED;
  const turn = new ConversationTurn({ store: conversations, accountId, conversationId, requestId });
  return { ok: true, value: turn };
}

async function join(
  { stored, bodyWorkers }: ContinueDeps,
  { key: { accountId }, spec, exchange, body, reservation }: ContinuingRequest,
  state: StateMembers,
): Promise<Result<JoinedBody> | null> {
  const size = body.length;
  const wantsOwn = state.conversationId !== null && spec.endpoint === '/v1/responses';
  const ownSize = wantsOwn ? size : 0;
  const asked = { accountId, bodySize: size, reservation };
  const history = await readHistory(stored, asked, state);
  if (!history.ok) return history;
  const shortage = reservation.grow(ownSize);
  if (shortage !== null) return { ok: false, error: shortageError(shortage) };
  const { parts, storedSize } = history.value;
  const joined =
    size + storedSize > BODY_LIMITS.maxOnLoopBytes || isForThread(body)
      ? await joinInThread(
          bodyWorkers,
          { history: parts, wantsOwn },
          { body, owner: accountId, isWanted: () => !exchange.isDisconnected },
        )
      : joinHistory(body, parts, wantsOwn);
  if (joined?.ok !== true) return joined;
  const { body: whole, own } = joined.value;
  // Joined, it is at most a few bytes larger than its parts, unless ids carried items.
  const spare = storedSize + ownSize + size - whole.length - (own?.length ?? 0);
  const missing = spare < 0 ? reservation.grow(-spare) : null;
  if (missing !== null) return { ok: false, error: shortageError(missing) };
  reservation.shrink(Math.max(spare, 0));
  return joined;
}

interface History {
  parts: HistoryPart[];
  /** Reserved for them, in bytes. */
  storedSize: number;
}

interface HistoryQuery {
  accountId: string;
  bodySize: number;
  reservation: BodyReservation;
}

function readHistory(
  stored: ContinueDeps['stored'],
  asked: HistoryQuery,
  { previousId, conversationId }: StateMembers,
): Promise<Result<History>> {
  if (conversationId !== null) return readConversation(stored.conversations, asked, conversationId);
  return previousId === null
    ? Promise.resolve(NO_HISTORY)
    : readPrevious(stored.responses, asked, previousId);
}

async function readConversation(
  conversations: ConversationStore,
  { accountId, bodySize, reservation }: HistoryQuery,
  id: string,
): Promise<Result<History>> {
  const place = { accountId, id };
  const storedSize = await conversations.findSize(place);
  if (storedSize === null) return noConversation(id);
  if (bodySize + storedSize > BODY_LIMITS.maxBytes) return CONVERSATION_TOO_LARGE;
  const shortage = reservation.grow(storedSize);
  if (shortage !== null) return { ok: false, error: shortageError(shortage) };
  const parts = await conversations.readParts(place);
  return {
    ok: true,
    value: { parts: parts.map(({ items: bytes }) => ({ kind: 'part', bytes })), storedSize },
  };
}

async function readPrevious(
  responses: ResponseStore,
  { accountId, bodySize, reservation }: HistoryQuery,
  id: string,
): Promise<Result<History>> {
  const facts = await responses.findFacts(accountId, id);
  if (facts === null) return notFound(id);
  if (facts.isRunning) return stillRunning(id);
  if (bodySize + facts.inputSize > BODY_LIMITS.maxBytes) return CONVERSATION_TOO_LARGE;
  const storedSize = facts.inputSize + facts.responseSize;
  const shortage = reservation.grow(storedSize);
  if (shortage !== null) return { ok: false, error: shortageError(shortage) };
  const response = await responses.read(accountId, id, 'response');
  const input = await responses.read(accountId, id, 'input');
  if (response === null || input === null) return notFound(id);
  // Of a response stored by an earlier release, only the limits are known before.
  const readSize = response.length + input.length;
  reservation.shrink(storedSize - readSize);
  const parts: HistoryPart[] = [
    { kind: 'input', bytes: input },
    { kind: 'response', bytes: response },
  ];
  return { ok: true, value: { parts, storedSize: readSize } };
}

const NO_HISTORY: Result<History> = { ok: true, value: { parts: [], storedSize: 0 } };

export const CONVERSATION_LOCKED = deny(
  'conversation_locked',
  'Another request is adding to this conversation. Try again in a few seconds.',
  { param: CONVERSATION },
);

function notFound(id: string): Result<never> {
  return deny('previous_response_not_found', `Previous response with id '${id.slice(0, 100)}' not found.`, {
    param: PREVIOUS,
  });
}

function stillRunning(id: string): Result<never> {
  const message = `Previous response with id '${id}' still runs in the background. Wait until it has ended, or cancel it.`;
  return deny('invalid_request', message, { param: PREVIOUS });
}

function noConversation(id: string): Result<never> {
  const message = `Conversation with id '${id.slice(0, 100)}' not found.`;
  return deny('conversation_not_found', message, { param: CONVERSATION });
}
