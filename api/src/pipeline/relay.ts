import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { Redact, RedactorSource } from '../catalogue/error-redactor.ts';
import { errorFormatOf } from '../errors/render-error.ts';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { LargeAnswers } from './large-answers.ts';
import type { Metered } from './metered.ts';
import type { Settlement } from './settlement.ts';

/** What every way of relaying an answer works on. */
export interface RelayContext {
  exchange: Exchange;
  spec: EndpointSpec;
  key: CachedKey;
  request: RelayRequest;
  settlement: Settlement;
  /** The input by the size of the request, in tokens. */
  inputTokens: number;
  /** Takes credentials and account identifiers out of a provider's text. */
  redact: Redact;
  /** What `redact` is made from, for a thread. */
  redactors: () => RedactorSource[];
  /** The memory for answers that are gathered, and the threads that read large ones. */
  largeAnswers: LargeAnswers;
  /** The input by what the model reads of it, in tokens: slower, and closer. */
  estimateInput: () => number;
  /** Members of the request that the provider was not sent, in the caller's terms. */
  dropped: readonly string[];
}

/** The head of a provider's response. */
export interface ResponseHead {
  status: number;
  header: (name: string) => string | null;
}

/**
 * What became of a chunk: `more` may come; `wait`, since the caller reads too slowly, or others are to be read first; or the answer turned out to be
 * none before the caller was given anything of it.
 */
export type Taken = 'more' | 'wait' | GatewayError;

/**
 * null where the request is answered and settled; else why it is not. A promise while a thread reads the answer: it gives what
 * answers and settles, which is not called once the attempt is over.
 */
export type Finished = GatewayError | null | Promise<() => GatewayError | null>;

/** One way to bring a provider's answer to the caller. */
export interface Relay {
  /** True once the caller has been given a byte of the answer: from then on nobody else can give one. */
  readonly hasBegun: boolean;
  /** True once the dialect's terminator has come: the answer is complete, however its connection ends. Absent: never. */
  readonly isComplete?: boolean;
  /** Called after `wait` by those that do not wait for the caller. */
  onReady?: (() => void) | null;
  /** @throws OversizeEventError where an event of the answer is too large */
  take(chunk: Buffer): Taken;
  /** The provider has sent everything. */
  finish(): Finished;
  /**
   * No more will come: the caller gets the error, in the stream where one has begun, and the request is settled.
   * @param metered what is billed where the answer has begun
   */
  fail(error: GatewayError, metered: Metered): void;
  /** The caller has left: from now on the answer is read only for its usage. */
  startDrain(): void;
  /** The attempt is over: what was reserved for its answer is given back, unless the caller still has to take it. */
  release?(): void;
  /** What has come so far. */
  meter(): Metered;
  /** Called every few seconds, by those alone who must not be silent for long. */
  tick?(): void;
}

/** Settles, then answers with an error if nothing has been answered yet: what failed attempts cost is recorded first. */
export function refuse(
  { exchange, spec, settlement }: Pick<RelayContext, 'exchange' | 'spec' | 'settlement'>,
  error: GatewayError,
): void {
  const status = errorFormatOf(spec.dialect).statusOf(error);
  settlement.settle({ status, errorCode: error.code }, () => sendError(exchange, spec.dialect, error));
}
