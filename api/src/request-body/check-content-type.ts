import type { GatewayError } from '@tollgate/core/errors/errors';
import type { Exchange } from '../exchange.ts';

/** @returns the error if the body is not plain JSON, by its headers */
export function checkContentType(exchange: Exchange): GatewayError | null {
  const encoding = exchange.header('content-encoding') ?? 'identity';
  const type = exchange.header('content-type') ?? 'application/json';
  if (encoding === 'identity' && type.includes('json')) return null;
  const message =
    "The body must be plain JSON: send 'content-type: application/json' and no content-encoding.";
  return { code: 'unsupported_media_type', message };
}
