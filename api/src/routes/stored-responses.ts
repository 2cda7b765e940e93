import type { Buffer } from 'node:buffer';
import type { ResponseFacts } from '@tollgate/db/queries/responses/stored-responses';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import { writeUnfinished } from '../background/background-response.ts';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import { NO_MEMORY_FOR_RESPONSES } from '../pipeline/upstream-failure.ts';
import { JSON_TYPE } from '../pipeline/content-types.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { writeListInThread } from '../request-body/parse-in-thread.ts';
import { parsePageQuery } from '../stored/list-page.ts';
import { writeList } from '../stored/write-page.ts';
import { answerStored, type StoredRequest } from './answer-stored.ts';

/** `GET /v1/responses/{id}`: https://platform.openai.com/docs/api-reference/responses/get */
export function answerResponse(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerStored(deps, request, async ({ exchange, key, id }) => {
    const isStream = new URLSearchParams(exchange.query).get('stream');
    if (isStream === 'true') return NO_STREAM;
    return withStored(deps, { key, id, part: 'response' }, (response, onTaken) => {
      exchange.sendPieces(200, JSON_TYPE, [response], onTaken);
      return null;
    });
  });
}

/** `DELETE /v1/responses/{id}`: https://platform.openai.com/docs/api-reference/responses/delete */
export function answerResponseDeletion(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerStored(deps, request, async ({ exchange, key, id }) => {
    const facts = await deps.stored.responses.delete(key.accountId, id);
    if (facts === null) return notFound(id);
    if (facts.isRunning) await deps.stored.background.stopEverywhere({ accountId: key.accountId, id });
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
      const asked = { source: { responseId: id }, query: query.value };
      const ofCaller = { owner: key.accountId, isWanted: () => !exchange.isDisconnected };
      const page = isForThread(input)
        ? await writeListInThread(deps.bodyWorkers, asked, { body: input, ...ofCaller })
        : ({ ok: true, value: writeList(input, asked.source, asked.query) } as const);
      // Nothing reaches a caller that has disconnected.
      if (page === null) return NO_PAGE;
      if (!page.ok) return page.error;
      if (page.value === null) return NO_PAGE;
      exchange.sendPieces(200, JSON_TYPE, [page.value], onTaken);
      return null;
    });
  });
}

/**
 * `POST /v1/responses/{id}/cancel`. The caller gets the response as it ended, also if it had ended before
 * (https://platform.openai.com/docs/guides/background#cancelling-a-background-response).
 */
export function answerCancel(deps: ApiDeps, request: StoredRequest): Promise<void> {
  return answerStored(deps, request, async ({ exchange, key, id }) => {
    const place = { accountId: key.accountId, id };
    const read = (answer: StoredAnswer) => withStored(deps, { key, id, part: 'response' }, answer);
    const giveEnded: StoredAnswer = (response, onTaken) => {
      if (new JsonObjectBytes(response).getText('background') !== 'true') return NOT_BACKGROUND;
      exchange.sendPieces(200, JSON_TYPE, [response], onTaken);
      return null;
    };
    return read(async (response, onTaken, facts) => {
      if (!facts.isRunning) return giveEnded(response, onTaken, facts);
      const { background } = deps.stored;
      await background.stopEverywhere(place);
      const cancelled = writeUnfinished(parseJsonObject(response.toString('utf8')) ?? {}, 'cancelled');
      // It may have ended meanwhile, which is what its caller gets then.
      if (!(await background.end(place, cancelled))) return read(giveEnded);
      exchange.sendPieces(200, JSON_TYPE, [cancelled], onTaken);
      return null;
    });
  });
}

/** Sends what was read, and calls `onTaken` afterwards; or returns an error. */
type StoredAnswer = (
  bytes: Buffer,
  onTaken: () => void,
  facts: ResponseFacts,
) => GatewayError | null | Promise<GatewayError | null>;

/** Reads a part of a stored response. Its memory is reserved first, until its caller has it. */
async function withStored(
  { stored: { responses }, largeAnswers }: Pick<ApiDeps, 'stored' | 'largeAnswers'>,
  { key, id, part }: Pick<StoredRequest, 'key' | 'id'> & { part: 'response' | 'input' },
  answer: StoredAnswer,
): Promise<GatewayError | null> {
  const { accountId } = key;
  const facts = await responses.findFacts(accountId, id);
  if (facts === null) return notFound(id);
  const reservation = largeAnswers.budget.open(accountId);
  let isSent = false;
  try {
    const size = part === 'response' ? facts.responseSize : facts.inputSize;
    if (reservation.grow(size) !== null) return NO_MEMORY_FOR_RESPONSES;
    const bytes = await responses.read(accountId, id, part);
    if (bytes === null) return notFound(id);
    const error = await answer(bytes, () => reservation.release(), facts);
    isSent = error === null;
    return error;
  } finally {
    if (!isSent) reservation.release();
  }
}

const NO_PAGE = deny('invalid_request', 'after is not the id of an item.', { param: 'after' }).error;
const NO_STREAM = deny(
  'invalid_request',
  'A stored response is not streamed. Leave out stream, and get the response until it has ended.',
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
