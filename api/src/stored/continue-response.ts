import type { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import type { Logger } from 'pino';
import type { EndpointSpec } from '../endpoints.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { findPreviousInThread, joinInThread } from '../request-body/parse-in-thread.ts';
import { shortageError } from '../request-body/read-limits.ts';
import type { BodyWorkers } from '../request-body/worker/body-workers.ts';
import {
  CONVERSATION_TOO_LARGE,
  findPreviousId,
  joinPrevious,
  PREVIOUS,
  type PreviousResponse,
} from './join-previous.ts';
import type { ResponseStore } from './response-store.ts';

interface ContinueDeps {
  responses: ResponseStore;
  bodyWorkers: BodyWorkers;
  log: Pick<Logger, 'error'>;
}

export interface ContinuingRequest {
  key: Pick<CachedKey, 'accountId' | 'keepsResponses'>;
  spec: Pick<EndpointSpec, 'endpoint'>;
  exchange: Pick<Exchange, 'isDisconnected'>;
  body: Buffer;
  /** The memory of the body. */
  reservation: BodyReservation;
}

/** A body that contains everything it refers to. */
export interface ContinuedBody {
  body: Buffer;
  /** null: the request continues nothing. */
  previousResponseId: string | null;
}

/**
 * True if the request may continue a stored response. In a large body, only the plain name is searched, because the search for
 * escapes blocks the event loop: with an escaped name, which no client writes, the request is refused by its contract.
 */
export function mayContinue({ key, spec, body }: Pick<ContinuingRequest, 'key' | 'spec' | 'body'>): boolean {
  if (!key.keepsResponses || !spec.endpoint.startsWith('/v1/responses')) return false;
  if (body.length > BODY_LIMITS.maxOnLoopBytes) return body.includes(`"${PREVIOUS}"`);
  return new JsonObjectBytes(body).mayHave(PREVIOUS);
}

/**
 * Writes the input and the output of the previous response before the input of a request, so that everything after this reads
 * what the provider is sent. Its instructions are not inherited
 * (https://platform.openai.com/docs/api-reference/responses/create#responses-create-previous_response_id).
 * Memory is reserved before anything is read, and large parts are joined in a thread.
 * @returns null if the caller has disconnected
 * @throws BodyJobFailed if the thread throws
 */
export async function continueResponse(
  { responses, bodyWorkers, log }: ContinueDeps,
  { key: { accountId }, exchange, body, reservation }: ContinuingRequest,
): Promise<Result<ContinuedBody> | null> {
  const ofCaller = { owner: accountId, isWanted: () => !exchange.isDisconnected };
  const named = isForThread(body)
    ? await findPreviousInThread(bodyWorkers, { body, ...ofCaller })
    : { ok: true as const, value: { body, previousId: findPreviousId(body) } };
  if (named?.ok !== true) return named;
  const { body: own, previousId } = named.value;
  if (!previousId.ok) return previousId;
  const id = previousId.value;
  if (id === null) return { ok: true, value: { body: own, previousResponseId: null } };
  const previous = await readPrevious(
    { responses, log },
    { accountId, id, ownSize: own.length, reservation },
  );
  if (!previous.ok) return previous;
  const { response, input } = previous.value;
  const size = own.length + response.length + input.length;
  const joined =
    size > BODY_LIMITS.maxOnLoopBytes || isForThread(own)
      ? await joinInThread(bodyWorkers, { response, input }, { body: own, ...ofCaller })
      : joinPrevious(own, { response, input });
  if (joined?.ok !== true) return joined;
  // Joined, it is at most a few bytes larger than its parts.
  reservation.shrink(Math.max(size - joined.value.length, 0));
  return { ok: true, value: { body: joined.value, previousResponseId: id } };
}

interface PreviousQuery extends Pick<ContinuingRequest, 'reservation'> {
  accountId: string;
  id: string;
  /** The size of the body that continues it. */
  ownSize: number;
}

/** Reads the response that a request continues, in memory that it reserves. */
async function readPrevious(
  { responses, log }: Pick<ContinueDeps, 'responses' | 'log'>,
  { accountId, id, ownSize, reservation }: PreviousQuery,
): Promise<Result<PreviousResponse>> {
  try {
    const sizes = await responses.findSizes(accountId, id);
    if (sizes === null) return notFound(id);
    if (ownSize + sizes.inputSize > BODY_LIMITS.maxBytes) return CONVERSATION_TOO_LARGE;
    const storedSize = sizes.inputSize + sizes.responseSize;
    const shortage = reservation.grow(storedSize);
    if (shortage !== null) return { ok: false, error: shortageError(shortage) };
    const response = await responses.read(accountId, id, 'response');
    const input = await responses.read(accountId, id, 'input');
    if (response === null || input === null) return notFound(id);
    // Of a response stored by an earlier release, only the limits are known before.
    reservation.shrink(storedSize - response.length - input.length);
    return { ok: true, value: { response, input } };
  } catch (error) {
    log.error({ err: error }, 'a stored response could not be read');
    return UNREADABLE;
  }
}

export const UNREADABLE = deny(
  'ledger_unavailable',
  'Tollgate cannot read stored responses because its database does not respond. Try again.',
);

function notFound(id: string): Result<never> {
  return deny('previous_response_not_found', `Previous response with id '${id.slice(0, 100)}' not found.`, {
    param: PREVIOUS,
  });
}
