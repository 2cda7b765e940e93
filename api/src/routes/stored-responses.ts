import type { Buffer } from 'node:buffer';
import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import { NO_MEMORY_FOR_RESPONSES } from '../pipeline/upstream-failure.ts';
import { JSON_TYPE } from '../pipeline/content-types.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { writePageInThread } from '../request-body/parse-in-thread.ts';
import { parsePageQuery } from '../stored/list-page.ts';
import { writePage } from '../stored/write-page.ts';
import { answerStored, type StoredRequest } from './answer-stored.ts';

/** `GET /v1/responses/{id}`: https://platform.openai.com/docs/api-reference/responses/get */
export function answerResponse(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerStored(deps, request, async ({ exchange, key, id }) => {
    const isStream = new URLSearchParams(exchange.query).get('stream');
    if (isStream === 'true') return NO_STREAM;
    return withStored(deps, { key, id, part: 'response' }, (response, onTaken) => {
      exchange.sendPieces(200, JSON_TYPE, [response], onTaken);
      return Promise.resolve(null);
    });
  });
}

/** `DELETE /v1/responses/{id}`: https://platform.openai.com/docs/api-reference/responses/delete */
export function answerResponseDeletion(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerStored(deps, request, async ({ exchange, key, id }) => {
    if (!(await deps.responses.delete(key.accountId, id))) return notFound(id);
    sendJson(exchange, { id, object: 'response', deleted: true });
    return null;
  });
}

/** `GET /v1/responses/{id}/input_items`: https://platform.openai.com/docs/api-reference/responses/input-items */
export function answerInputItems(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerStored(deps, request, async ({ exchange, key, id }) => {
    const query = parsePageQuery(exchange.query);
    if (!query.ok) return query.error;
    return withStored(deps, { key, id, part: 'input' }, async (input, onTaken) => {
      const asked = { responseId: id, query: query.value };
      const ofCaller = { owner: key.accountId, isWanted: () => !exchange.isDisconnected };
      const page = isForThread(input)
        ? await writePageInThread(deps.bodyWorkers, asked, { body: input, ...ofCaller })
        : ({ ok: true, value: writePage(input, id, query.value) } as const);
      // Nothing reaches a caller that has disconnected.
      if (page === null) return NO_PAGE;
      if (!page.ok) return page.error;
      if (page.value === null) return NO_PAGE;
      exchange.sendPieces(200, JSON_TYPE, [page.value], onTaken);
      return null;
    });
  });
}

/** `POST /v1/responses/{id}/cancel`: https://platform.openai.com/docs/api-reference/responses/cancel */
export function answerCancel(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerStored(deps, request, async ({ key, id }) => {
    const sizes = await deps.responses.findSizes(key.accountId, id);
    return sizes === null ? notFound(id) : NOT_BACKGROUND;
  });
}

/**
 * Reads a part of a stored response. Its memory is reserved first, until its caller has it.
 * @param answer sends it, and calls `onTaken` afterwards; or returns an error
 */
async function withStored(
  { responses, largeAnswers }: Pick<ApiDeps, 'responses' | 'largeAnswers'>,
  { key, id, part }: Pick<StoredRequest, 'key' | 'id'> & { part: 'response' | 'input' },
  answer: (bytes: Buffer, onTaken: () => void) => Promise<GatewayError | null>,
): Promise<GatewayError | null> {
  const { accountId } = key;
  const sizes = await responses.findSizes(accountId, id);
  if (sizes === null) return notFound(id);
  const reservation = largeAnswers.budget.open(accountId);
  let isSent = false;
  try {
    const size = part === 'response' ? sizes.responseSize : sizes.inputSize;
    if (reservation.grow(size) !== null) return NO_MEMORY_FOR_RESPONSES;
    const bytes = await responses.read(accountId, id, part);
    if (bytes === null) return notFound(id);
    const error = await answer(bytes, () => reservation.release());
    isSent = error === null;
    return error;
  } finally {
    if (!isSent) reservation.release();
  }
}

const NO_PAGE = deny('invalid_request', 'after is not the id of an item.', { param: 'after' }).error;
const NO_STREAM = deny(
  'invalid_request',
  'Only a response that was created with background and stream can be streamed again.',
  { param: 'stream' },
).error;
const NOT_BACKGROUND = deny(
  'invalid_request',
  'Only a response that was created with background can be cancelled.',
).error;

function notFound(id: string): GatewayError {
  return deny('response_not_found', `Response with id '${id.slice(0, 100)}' not found.`).error;
}

function sendJson(exchange: Exchange, body: object): void {
  exchange.send(200, JSON_TYPE, JSON.stringify(body));
}
