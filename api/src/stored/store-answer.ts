import { Buffer } from 'node:buffer';
import { STORED_LIMITS } from '@tollgate/core/requests/stored-responses';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import type { MemberPlaces } from '@tollgate/dialects/json/member-places';
import { idStem } from '@tollgate/dialects/openai-responses/envelope';
import type { BodyBudget, BodyReservation } from '../request-body/body-budget.ts';
import type { LargeAnswers } from '../pipeline/large-answers.ts';
import type { Logger } from 'pino';
import type { EndpointSpec } from '../endpoints.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { ConversationTurn } from '../conversations/conversation-turn.ts';
import { toItemList } from './item-lists.ts';
import type { StoredState } from './stored-state.ts';
import { StoringExchange } from './storing-exchange.ts';

interface StoringDeps {
  stored: Pick<StoredState, 'responses'>;
  bodyBudget: BodyBudget;
  largeAnswers: Pick<LargeAnswers, 'mark'>;
  log: Pick<Logger, 'error'>;
}

export interface StoringRequest {
  exchange: Exchange;
  spec: Pick<EndpointSpec, 'endpoint'>;
  key: Pick<CachedKey, 'accountId' | 'keepsResponses'>;
  body: Buffer;
  /** The memory of the body. */
  reservation: BodyReservation;
  /** The response that it continues. */
  previousResponseId: string | null;
  turn: ConversationTurn | null;
}

/** Of its body. */
interface StoredMembers {
  places: MemberPlaces | null;
  members: JsonObject;
}

export interface StoredAnswer {
  exchange: Exchange;
  /** The request is paid for: begins to compress its input, while the provider works. */
  begin: () => void;
}

/**
 * Makes the response of a request be stored, if its account stores responses and the request does not set `store: false`.
 * The memory of its input counts as that of the body, until the request is settled, and then as that of the write.
 * @returns null if it is not stored
 */
export function storeAnswer(
  deps: StoringDeps,
  request: StoringRequest,
  { members, places }: StoredMembers,
): StoredAnswer | null {
  const { exchange, spec, key, previousResponseId, turn } = request;
  if (!key.keepsResponses || spec.endpoint !== '/v1/responses' || members['store'] === false) return null;
  const kept = keepInput(deps, request, places);
  if (kept === null) return null;
  const { id, inputSize, seal } = kept;
  const { accountId } = key;
  const { startedAtMs } = exchange;
  const storing = new StoringExchange(exchange, {
    id,
    previousResponseId,
    conversationId: turn?.id ?? null,
    async store(response, output) {
      const added = turn && output && { turn, output };
      const row = { id, inputSize, accountId, startedAtMs, response, added };
      const isStored =
        response.length <= STORED_LIMITS.maxResponseBytes &&
        (await deps.stored.responses.insert({
          ...row,
          input: seal(),
          reservation: deps.bodyBudget.open(accountId),
        }));
      // Before the end of the response, so that the next request of the caller has it.
      await turn?.release();
      return isStored;
    },
    async markLarge(bytes, isEvent, marks) {
      try {
        const isWanted = () => !exchange.isDisconnected;
        return await deps.largeAnswers.mark(bytes, { isEvent, marks }, { owner: accountId, isWanted });
      } catch (error) {
        deps.log.error({ err: error, responseId: id }, 'a large response could not be marked as stored');
        return null;
      }
    },
    track: (work) => deps.stored.responses.track(work),
  });
  // Its errors are those of `insert`.
  return { exchange: storing, begin: () => void seal() };
}

/** The input of a response to be stored. */
export interface KeptInput {
  /** Of the response. */
  id: string;
  /** Compresses and encrypts it once: call it when the request is paid for. */
  seal: () => Promise<Buffer>;
  /** In bytes. */
  inputSize: number;
}

/** Copies the input of a request. @returns null if there is no memory for it */
export function keepInput(
  { stored }: Pick<StoringDeps, 'stored'>,
  { exchange, key, body, reservation }: Omit<StoringRequest, 'spec' | 'previousResponseId' | 'turn'>,
  places: MemberPlaces | null,
): KeptInput | null {
  const place = new JsonObjectBytes(body, places).findPlace('input');
  if (place === null) return null;
  const inputBytes = toItemList(body.subarray(place.start, place.end));
  if (reservation.grow(inputBytes.length) !== null) return null;
  const inputSize = inputBytes.length;
  const id = `resp_${idStem(exchange.requestId)}`;
  // A copy: the body may move to a thread later. It is not kept any longer than needed.
  let state: Buffer | Promise<Buffer> = Buffer.from(inputBytes);
  const seal = (): Promise<Buffer> => {
    if (state instanceof Promise) return state;
    const sealing = stored.responses.sealInput(key.accountId, id, state);
    sealing.then(
      (sealed) => reservation.shrink(Math.max(inputSize - sealed.length, 0)),
      () => reservation.shrink(inputSize),
    );
    state = sealing;
    return sealing;
  };
  return { id, seal, inputSize };
}
