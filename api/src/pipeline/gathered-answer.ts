import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import {
  MAX_MEASURED_BYTES,
  measurePartial,
  scalePartial,
  type PartialAnswer,
} from '@tollgate/dialects/usage/measure-partial';
import { AnswerCollector } from './answer-collector.ts';
import { meterAnswer, UNMETERED, type Metered } from './metered.ts';
import { refuse, type Finished, type Relay, type RelayContext, type Taken } from './relay.ts';
import { NO_MEMORY_FOR_ANSWER, OVERSIZE_ANSWER } from './upstream-failure.ts';

/** The largest response that is gathered, in bytes. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** The same after the caller has disconnected: it is read only for its usage. */
const MAX_DRAINED_BYTES = 4 * 1024 * 1024;

/** Base of relays that send the caller one response after the provider has sent everything. */
export abstract class GatheredAnswer implements Relay {
  readonly hasBegun = false;
  protected readonly context: RelayContext;
  protected readonly collected: AnswerCollector;
  #maxBytes: number;
  /** The beginning of a response whose bytes a thread has; null: they are here. */
  #head: Buffer | null = null;
  /** Measurement of the beginning of a larger response, cached since it does not change. */
  #begun: PartialAnswer | null = null;

  onReady: (() => void) | null = null;

  /** @param declaredBytes the content-length; 0: unknown */
  constructor(context: RelayContext, maxBytes: number, declaredBytes = 0) {
    this.context = context;
    this.#maxBytes = maxBytes;
    const { largeAnswers, key } = context;
    const openReservation = () => largeAnswers.budget.open(key.accountId);
    this.collected = new AnswerCollector(openReservation, Math.min(declaredBytes, maxBytes));
  }

  take(chunk: Buffer): Taken {
    if (this.collected.size + chunk.length > this.#maxBytes) return OVERSIZE_ANSWER;
    if (this.collected.add(chunk) !== null) return NO_MEMORY_FOR_ANSWER;
    const { turns } = this.context.largeAnswers;
    if (!this.collected.isReserved || !turns.spend(chunk.length)) return 'more';
    turns.wait(this.context.key.accountId, () => this.onReady?.());
    return 'wait';
  }

  finish(): Finished {
    const pieces = this.collected.pieces();
    const [first] = pieces;
    return this.answerWith(first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces));
  }

  fail(error: GatewayError): void {
    refuse(this.context, error);
  }

  startDrain(): void {
    this.#maxBytes = Math.max(this.collected.size, MAX_DRAINED_BYTES);
  }

  release(): void {
    this.collected.release();
  }

  meter(): Metered {
    const { size } = this.collected;
    if (size === 0) return UNMETERED;
    const { report, ...written } = this.#measure(size);
    const isFinal = report?.hasOutput === true;
    const metered = meterAnswer(this.context, report, { ...written, tokensSinceReport: 0 });
    return { ...metered, isFinal, estimated: metered.estimated || !isFinal };
  }

  /** Measures at most the first MiB received. */
  protected measure(bytes: Buffer): PartialAnswer {
    return measurePartial(bytes);
  }

  /** Hands the bytes to a thread; only their beginning stays here. @returns null if there is no memory for that */
  protected moveToThread(): Buffer[] | null {
    const head = Buffer.from(this.collected.head(MAX_MEASURED_BYTES));
    if (this.collected.reserve(this.collected.reservedBytes + head.length) !== null) return null;
    this.#head = head;
    return this.collected.takePieces();
  }

  /** Sends the response and settles. @returns the error if that is impossible */
  protected abstract answerWith(bytes: Buffer): GatewayError | null;

  #measure(size: number): PartialAnswer {
    const head = () => this.#head ?? this.collected.head(MAX_MEASURED_BYTES);
    if (size <= MAX_MEASURED_BYTES) return this.measure(head());
    this.#begun ??= this.measure(head());
    return scalePartial(this.#begun, size / MAX_MEASURED_BYTES);
  }
}
