import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import type { TokenUsage } from '@tollgate/core/money';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { CompletionFace } from '../faces.ts';
import type { Settlement } from './settlement.ts';

/** What every way of relaying an answer works on. */
export interface RelayContext {
  exchange: Exchange;
  face: CompletionFace;
  request: RelayRequest;
  settlement: Settlement;
  /** Size of the request's body, for the estimate where the provider reports no usage. */
  requestBytes: number;
}

export interface Metered {
  usage: TokenUsage | null;
  /** True where the provider has not reported it (all). */
  estimated: boolean;
}

/** One way to bring a provider's answer to the caller; it settles the request at its end. */
export interface Relay {
  /** @returns false where the caller reads too slowly: wait for it @throws RangeError where the answer is too large */
  take(chunk: Buffer): boolean;
  /** The provider has sent everything. */
  finish(): void;
  /** No more will come: the caller gets the error, in the stream where one has begun. */
  fail(error: GatewayError): void;
  /** What the caller has been given so far. */
  meter(): Metered;
}

/** Answers with an error where nothing has been answered yet, and settles. */
export function refuse({ exchange, face, settlement }: RelayContext, error: GatewayError): void {
  settlement.settle({ status: sendError(exchange, face.dialect, error), errorCode: error.code });
}

/** Roughly how many bytes of JSON make one token. */
const BYTES_PER_TOKEN = 4;

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
