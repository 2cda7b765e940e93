import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { NO_USAGE, type TokenUsage } from '@tollgate/core/money';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import { tokensOfBytes } from '@tollgate/dialects/input-tokens/tokens-of-bytes';
import type { Redact } from '../catalogue/error-redactor.ts';
import { errorFaceOf } from '../errors/render-error.ts';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { Face } from '../faces.ts';
import type { Settlement } from './settlement.ts';

/** What every way of relaying an answer works on. */
export interface RelayContext {
  exchange: Exchange;
  face: Face;
  request: RelayRequest;
  settlement: Settlement;
  /** What the request's input is likely to be, where the provider does not tell. */
  inputTokens: number;
  /** Takes credentials and account identifiers out of a provider's text. */
  redact: Redact;
  /** Members of the request that the provider was not sent, in the caller's terms. */
  dropped: readonly string[];
}

export interface Metered {
  usage: TokenUsage | null;
  /** True where the provider has not reported it (all). */
  estimated: boolean;
}

/**
 * What became of a chunk: `more` may come; `wait`, since the caller reads too slowly; or the answer turned out to be
 * none before the caller was given anything of it.
 */
export type Taken = 'more' | 'wait' | GatewayError;

/** One way to bring a provider's answer to the caller. */
export interface Relay {
  /** True once the caller has been given a byte of the answer: from then on nobody else can give one. */
  readonly hasBegun: boolean;
  /** @throws RangeError where an event of the answer is too large */
  take(chunk: Buffer): Taken;
  /**
   * The provider has sent everything.
   * @returns null where the request is answered and settled; else why it is not
   */
  finish(): GatewayError | null;
  /** No more will come: the caller gets the error, in the stream where one has begun, and the request is settled. */
  fail(error: GatewayError): void;
  /** What the caller has been given so far. */
  meter(): Metered;
  /** Called every few seconds, by those alone who must not be silent for long. */
  tick?(): void;
}

/** Settles, then answers with an error if nothing has been answered yet: what failed attempts cost is recorded first. */
export function refuse(
  { exchange, face, settlement }: Pick<RelayContext, 'exchange' | 'face' | 'settlement'>,
  error: GatewayError,
): void {
  const status = errorFaceOf(face.dialect).statusOf(error);
  settlement.settle({ status, errorCode: error.code });
  sendError(exchange, face.dialect, error);
}

/** What is known where the provider does not tell its usage. */
export interface AnswerSizes {
  inputTokens: number;
  answerBytes: number;
}

/** What a completion may have used, by its size. */
export function estimateUsage({ inputTokens, answerBytes }: AnswerSizes): TokenUsage {
  return { ...NO_USAGE, inputTokens, outputTokens: tokensOfBytes(answerBytes) };
}
