import type { Dialect } from '@tollgate/core/dialect';
import type { GatewayError } from '@tollgate/core/errors';
import type { Exchange } from '../exchange.ts';
import { errorFaceOf } from './render-error.ts';

/** Answers with an error in the caller's dialect. @returns the HTTP status */
export function sendError(exchange: Exchange, dialect: Dialect, error: GatewayError): number {
  const face = errorFaceOf(dialect);
  const status = face.statusOf(error);
  if (error.retryAfterSeconds !== undefined)
    exchange.setHeader('retry-after', String(error.retryAfterSeconds));
  exchange.send(status, 'application/json', face.body(error, exchange.requestId));
  return status;
}

/** The dialect of the answers that no completion endpoint gives: OpenAI's, unless the caller speaks Anthropic's. */
export function dialectOfCaller(exchange: Exchange): Dialect {
  return exchange.header('anthropic-version') === null ? 'openai-chat' : 'anthropic-messages';
}
