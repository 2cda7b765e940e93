import type { GatewayError } from '@tollgate/core/errors/errors';
import type { ApiDeps } from '../deps.ts';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { checkAccount } from '../pipeline/authorize.ts';
import { setLimitHeaders } from '../pipeline/limit-headers.ts';
import { takeLimits } from '../pipeline/take-limits.ts';
import { explainUnreadable } from '../stored/explain-unreadable.ts';

/** A request for something that is stored under an id. */
export interface StoredRequest {
  exchange: Exchange;
  key: CachedKey;
  id: string;
}

/**
 * Answers a request for stored responses. It is free, and counts in the limits of free requests. Never rejects.
 * @param answer sends the response; or returns an error
 */
export async function answerStored(
  deps: Pick<ApiDeps, 'limits' | 'log'>,
  request: StoredRequest,
  answer: (request: StoredRequest) => Promise<GatewayError | null>,
): Promise<void> {
  const { exchange, key } = request;
  const refuse = (error: GatewayError) => void sendError(exchange, 'openai-responses', error);
  const denied = checkAccount(key);
  if (denied !== null) return refuse(denied);
  try {
    const taken = await takeLimits({ key, spec: { isMetered: false }, limits: deps.limits }, 0);
    const state = taken.ok ? (taken.taken?.state ?? null) : taken.state;
    if (state !== null) setLimitHeaders(exchange, 'openai-responses', state);
    const error = taken.ok ? await answer(request) : taken.error;
    if (error !== null) refuse(error);
  } catch (error) {
    deps.log.error({ err: error, requestId: exchange.requestId }, 'stored responses could not be read');
    refuse(explainUnreadable(error));
  }
}
