import { Buffer } from 'node:buffer';
import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import { parseJson } from '@tollgate/dialects/json/parse-object';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import { NO_MEMORY_FOR_RESPONSES } from '../pipeline/upstream-failure.ts';
import { JSON_TYPE } from '../pipeline/content-types.ts';
import { parsePageQuery, takePage, toPage } from '../stored/list-page.ts';
import { showItem } from '../stored/shown-item.ts';
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
    return withStored(deps, { key, id, part: 'input' }, (bytes, onTaken) => {
      const input = parseJson(bytes.toString('utf8'));
      const stem = id.replace(/^resp_/, '');
      const items = (Array.isArray(input) ? input : []).map((item, index) =>
        showItem(item, `msg_${stem}_in${index}`),
      );
      const page = takePage(items, query.value);
      if (page === null) {
        onTaken();
        return deny('invalid_request', 'after is not the id of an item.', { param: 'after' }).error;
      }
      const body = Buffer.from(JSON.stringify(toPage(page, query.value)));
      exchange.sendPieces(200, JSON_TYPE, [body], onTaken);
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

/** Reads a part of a stored response. Its memory is reserved first, until its caller has it. */
async function withStored(
  { responses, largeAnswers }: Pick<ApiDeps, 'responses' | 'largeAnswers'>,
  { key, id, part }: Pick<StoredRequest, 'key' | 'id'> & { part: 'response' | 'input' },
  answer: (bytes: Buffer, onTaken: () => void) => GatewayError | null,
): Promise<GatewayError | null> {
  const { accountId } = key;
  const sizes = await responses.findSizes(accountId, id);
  if (sizes === null) return notFound(id);
  const reservation = largeAnswers.budget.open(accountId);
  const release = () => reservation.release();
  try {
    const size = part === 'response' ? sizes.responseSize : sizes.inputSize;
    if (reservation.grow(size) !== null) {
      release();
      return NO_MEMORY_FOR_RESPONSES;
    }
    const bytes = await responses.read(accountId, id, part);
    if (bytes !== null) return answer(bytes, release);
    release();
    return notFound(id);
  } catch (error) {
    release();
    throw error;
  }
}

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
