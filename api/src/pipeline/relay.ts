import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { Redact, RedactorSource } from '../catalogue/error-redactor.ts';
import { getErrorFormat } from '../errors/render-error.ts';
import { sendError } from '../errors/send-error.ts';
import type { CallerStream } from './caller-stream.ts';
import type { Continuable } from './continuation/continuable.ts';
import type { Exchange } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { LargeAnswers } from './large-answers.ts';
import type { ProviderSaid } from './provider-said.ts';
import { UNMETERED, type Metered } from './metered.ts';
import type { AnsweredRequest } from './response-headers.ts';
import type { Settlement } from './settlement.ts';
import { failedOutcome, type SentText } from './stored-text.ts';
import type { Translator } from './translation.ts';

/** A stream without content of this size begins without it: only repeated requests are so large before the first content. */
export const MAX_OPENING_BYTES = 1024 * 1024;

/** The context shared by all relays. */
export interface RelayContext {
  exchange: Exchange;
  /** What a caller that reads a stream has received before the response. */
  stream: CallerStream;
  spec: EndpointSpec;
  key: CachedKey;
  request: RelayRequest;
  body: Buffer;
  settlement: Settlement;
  /** Estimated input by request size, in tokens. */
  inputTokens: number;
  /** Removes credentials and account identifiers from a provider's text. */
  redact: Redact;
  /** The sources of `redact`, for a thread. */
  redactors: () => RedactorSource[];
  /** The memory for gathered responses, and the threads that read large ones. */
  largeAnswers: LargeAnswers;
  /** Input tokens by what the model reads: slower and more accurate than `inputTokens`. */
  estimateInput: () => number;
  translator: Translator;
  /** Models to try if the routes of the requested model fail; null: none. */
  fallbacks: AnsweredRequest['fallbacks'];
  /** Request members that were not sent to the provider, in the caller's terms. */
  dropped: readonly string[];
  /** Follows a stream that may be continued; null: it is not. */
  continuation: Continuable | null;
}

/** Why a provider refused a request that another one may accept. */
export type RefusalCause = 'context_length' | 'content_policy';

/** The status and headers of a provider's response. */
export interface ResponseHead {
  status: number;
  header: (name: string) => string | null;
  /** Until another route may answer; null: none can, or the status does not depend on the route. */
  otherWaitMs: number | null;
  /** Of a refusal: tries another route. @returns true if one is tried, and this response is over */
  passOver?: (cause: RefusalCause) => boolean;
  /** The same for a refusal that says nothing certain about the credential of its route. */
  passRead?: () => boolean;
  /** Records what the provider says in its error. */
  noteSaid?: (said: ProviderSaid) => void;
}

/**
 * Result of a chunk: `more` may come; `wait`, because the caller is slow or other readers take their turn; or an error found
 * before the caller received anything.
 */
export type Taken = 'more' | 'wait' | GatewayError;

/**
 * null if the request is answered and settled; else the error. A promise while a thread reads the response: its function
 * answers and settles, and is not called once the attempt is over.
 */
export type Finished = GatewayError | null | Promise<() => GatewayError | null>;

/** One way to bring a provider's response to the caller. */
export interface Relay {
  /** True once the caller has received a part of the response: no failover afterwards. */
  readonly hasBegun: boolean;
  /** True: events of a stream. */
  readonly isStream?: true;
  /** True once the dialect's terminator has arrived: the response is complete, even if its connection breaks. Absent: never. */
  readonly isComplete?: boolean;
  /** Called after a `wait` that was not caused by a slow caller. */
  onReady?: (() => void) | null;
  /** True: `take` copies what it keeps of a chunk. Absent: a chunk must stay as it is. */
  readonly takesLent?: true;
  /** @throws OversizeEventError if an event of the response is too large */
  take(chunk: Buffer): Taken;
  /** The error of a response that the gateway does not relay, and reads on only for its usage. Absent, null: it is relayed. */
  readonly refusal?: GatewayError | null;
  /** The provider has sent everything. */
  finish(): Finished;
  /**
   * The response broke off: sends the error, in the stream if one has started, and settles the request.
   * @param metered usage to bill
   */
  fail(error: GatewayError, metered: Metered): void;
  /** The caller's response has ended: the rest is read only for its usage. */
  startDrain(): void;
  /** The attempt is over: releases the memory of its response, unless the caller is still reading it. */
  release?(): void;
  /** Usage of the response so far. */
  meter(): Metered;
  /** The response broke off: completes and settles it, if only its end is missing. Absent, false: more is missing. */
  conclude?(): boolean;
  /** Called every few seconds once the response has begun, for relays that must not be silent for long. */
  tick?(): void;
}

/** What a refusal needs. */
export interface Refusable extends SentText, Pick<RelayContext, 'exchange' | 'spec' | 'settlement'> {
  /** Absent: nothing was sent. */
  stream?: CallerStream;
}

/**
 * Settles, then sends an error if nothing of a response was sent yet, so that the costs of failed attempts are recorded first.
 * @param metered usage to bill
 */
export function refuse(context: Refusable, error: GatewayError, metered: Metered = UNMETERED): void {
  const { exchange, spec, settlement, stream } = context;
  const isOpen = stream?.isOpen === true;
  const status = isOpen ? 200 : getErrorFormat(spec.dialect).getStatus(error);
  settlement.settle(failedOutcome(error, context, { status, ...metered }), () => {
    if (isOpen) stream.fail(context, error);
    else sendError(exchange, spec.dialect, error);
  });
}

/** Many large responses take turns on the event loop. @returns `wait` if the next chunk must wait for its turn */
export function takeTurn(
  relay: Pick<Relay, 'onReady'>,
  { key, largeAnswers: { turns } }: Pick<RelayContext, 'key' | 'largeAnswers'>,
  bytes: number,
): 'more' | 'wait' {
  if (!turns.spend(key.accountId, bytes)) return 'more';
  turns.wait(key.accountId, () => relay.onReady?.());
  return 'wait';
}
