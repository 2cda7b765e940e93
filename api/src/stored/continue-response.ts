import { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { parseJson, parseJsonObject, asObject } from '@tollgate/dialects/json/parse-object';
import { isStoredItem } from '@tollgate/dialects/openai-responses/stored-item';
import type { Logger } from 'pino';
import type { EndpointSpec } from '../endpoints.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { shortageError } from '../request-body/read-limits.ts';
import { joinLists, toItemList } from './item-lists.ts';
import type { ResponseStore, StoredResponse } from './response-store.ts';

const PREVIOUS = 'previous_response_id';

interface ContinueDeps {
  responses: ResponseStore;
  log: Pick<Logger, 'error'>;
}

export interface ContinuingRequest {
  key: Pick<CachedKey, 'accountId' | 'keepsResponses'>;
  spec: Pick<EndpointSpec, 'endpoint'>;
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

/** True if the request may continue a stored response. */
export function mayContinue({ key, spec, body }: Omit<ContinuingRequest, 'reservation'>): boolean {
  return (
    key.keepsResponses &&
    spec.endpoint.startsWith('/v1/responses') &&
    new JsonObjectBytes(body).mayHave(PREVIOUS)
  );
}

/**
 * Writes the input and the output of the previous response before the input of a request, so that everything after this reads
 * what the provider is sent. Its instructions are not inherited
 * (https://platform.openai.com/docs/api-reference/responses/create#responses-create-previous_response_id).
 * Never rejects.
 */
export async function continueResponse(
  { responses, log }: ContinueDeps,
  { key, body, reservation }: ContinuingRequest,
): Promise<Result<ContinuedBody>> {
  const object = new JsonObjectBytes(body);
  const id = parseJson(object.getText(PREVIOUS) ?? 'null') ?? null;
  if (id === null) return { ok: true, value: { body, previousResponseId: null } };
  if (typeof id !== 'string')
    return deny('invalid_request', `${PREVIOUS} must be a string.`, { param: PREVIOUS });
  let previous: StoredResponse | null;
  try {
    previous = await responses.find(key.accountId, id);
  } catch (error) {
    log.error({ err: error }, 'a stored response could not be read');
    return UNREADABLE;
  }
  if (previous === null)
    return deny('previous_response_not_found', `Previous response with id '${id.slice(0, 100)}' not found.`, {
      param: PREVIOUS,
    });
  const place = object.findPlace('input');
  const input = place === null ? [] : [toItemList(body.subarray(place.start, place.end))];
  // Without an input, the parser refuses the request.
  const list = joinLists([previous.input, getHistory(previous.response), ...input]);
  const grown = list.length - (place === null ? 0 : place.end - place.start);
  if (body.length + grown > BODY_LIMITS.maxBytes)
    return deny(
      'request_too_large',
      `With the stored conversation, the request body is larger than ${BODY_LIMITS.maxBytes / 1024 / 1024} MiB. Start a new conversation.`,
      { param: PREVIOUS },
    );
  const shortage = reservation.grow(Math.max(grown, 0));
  if (shortage !== null) return { ok: false, error: shortageError(shortage) };
  const changes = place === null ? {} : { input: list.toString('utf8') };
  return { ok: true, value: { body: object.edit({ drops: [PREVIOUS], changes }), previousResponseId: id } };
}

export const UNREADABLE = deny(
  'ledger_unavailable',
  'Tollgate cannot read stored responses because its database does not respond. Try again.',
);

/** The output that the next request repeats. Items of the provider that only name what it kept are left out. */
function getHistory(response: Buffer): Buffer {
  const output = parseJsonObject(response.toString('utf8'))?.['output'];
  const items = Array.isArray(output) ? output.map(asObject) : [];
  return Buffer.from(JSON.stringify(items.filter((item) => item !== null && !isStoredItem(item))));
}
