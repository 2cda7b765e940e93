import type { Dialect } from '@tollgate/core/models/dialect';
import { setDialectHeaders } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import { setDroppedParams } from './dropped-params.ts';

/** Names with other characters are not sent: a header cannot contain them. */
const PLAIN_MODEL = /^[\x21-\x7e]+$/;

/** What the headers of a response say about its request. */
export interface AnsweredRequest {
  exchange: Exchange;
  spec: { dialect: Dialect };
  request: { model: string };
  /** null: only the requested model answers. */
  fallbacks: { readonly lowerLimit: number | null } | null;
  /** Request members that were not sent to the provider. */
  dropped: readonly string[];
}

/** Sets the headers of a response. It names the model that answered, which may be another one than the caller expects. */
export function setResponseHeaders({ exchange, spec, request, dropped, fallbacks }: AnsweredRequest): void {
  setDroppedParams(exchange, dropped);
  setDialectHeaders(exchange, spec.dialect);
  if ((spec.dialect === 'anthropic-messages' || fallbacks !== null) && PLAIN_MODEL.test(request.model))
    exchange.setHeader('x-tollgate-requested-model', request.model);
  const lowerLimit = fallbacks?.lowerLimit ?? null;
  if (lowerLimit !== null) exchange.setHeader('x-tollgate-max-tokens', String(lowerLimit));
}
