import type { Dialect } from '@tollgate/core/models/dialect';
import { getRetryAfterMs, type GatewayError } from '@tollgate/core/errors/errors';
import type { Exchange } from '../exchange.ts';
import { getErrorFormat } from './render-error.ts';
import { setRetryHeaders } from './retry-headers.ts';

/** Answers with an error in the caller's dialect. @returns the HTTP status */
export function sendError(exchange: Exchange, dialect: Dialect, error: GatewayError): number {
  const spec = getErrorFormat(dialect);
  const status = spec.getStatus(error);
  setRetryHeaders(exchange, getRetryAfterMs(error));
  setDialectHeaders(exchange, dialect);
  exchange.send(status, 'application/json', spec.body(error, exchange.requestId));
  return status;
}

/** Headers of every response in a dialect: Anthropic's SDK reads the request id from a separate header. */
export function setDialectHeaders(exchange: Exchange, dialect: Dialect): void {
  if (dialect === 'anthropic-messages') exchange.setHeader('request-id', exchange.requestId);
}

/** The dialect of responses outside the completion endpoints: OpenAI's, unless the caller speaks Anthropic's. */
export function dialectOfCaller(exchange: Exchange): Dialect {
  return exchange.header('anthropic-version') === null ? 'openai-chat' : 'anthropic-messages';
}
