import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import {
  MAX_MEASURED_BYTES,
  measurePartial,
  scalePartial,
  type PartialAnswer,
} from '@tollgate/dialects/usage/measure-partial';
import { readLastMembers } from '@tollgate/dialects/usage/read-last-members';
import { AnswerCollector } from './answer-collector.ts';
import { AnswerEnd } from './answer-end.ts';
import { meterAnswer, UNMETERED, type Metered } from './metered.ts';
import { refuse, type Finished, type Relay, type RelayContext, type Taken } from './relay.ts';
import { NO_MEMORY_FOR_ANSWER, OVERSIZE_ANSWER } from './upstream-failure.ts';

/** Base of relays that send the caller one response after the provider has sent everything. */
export abstract class GatheredAnswer implements Relay {
  readonly hasBegun = false;
  protected readonly context: RelayContext;
  protected readonly collected: AnswerCollector;
  readonly #maxBytes: number;
  /** The beginning of a response whose bytes are not here; null: they are. */
  #head: Buffer | null = null;
  /** The end of a response that is too large; null: all of it is kept. */
  #end: AnswerEnd | null = null;
  #skippedBytes = 0;
  /** The last members of a response that the provider has sent completely; null: not read. */
  #last: JsonObject | null = null;
  /** Measurement of the beginning of a larger response and its bytes, cached since it does not change. */
  #begun: { measured: PartialAnswer; bytes: number } | null = null;
  #refusal: GatewayError | null = null;

  onReady: (() => void) | null = null;

  /** @param declaredBytes the content-length; 0: unknown */
  constructor(context: RelayContext, maxBytes: number, declaredBytes = 0) {
    this.context = context;
    const { largeAnswers, key } = context;
    const openReservation = () => largeAnswers.budget.open(key.accountId);
    const fits = declaredBytes <= maxBytes;
    this.#maxBytes = fits ? maxBytes : Math.min(maxBytes, MAX_MEASURED_BYTES);
    this.collected = new AnswerCollector(openReservation, fits ? declaredBytes : 0);
  }

  get refusal(): GatewayError | null {
    return this.#refusal;
  }

  take(chunk: Buffer): Taken {
    const refusal = this.#refusal ?? this.#add(chunk);
    if (refusal !== null) {
      const failure = this.#end === null ? this.refuseRest(refusal) : null;
      if (failure !== null) return failure;
      this.#skip(chunk);
    }
    const { turns } = this.context.largeAnswers;
    if (!this.collected.isReserved || !turns.spend(chunk.length)) return 'more';
    turns.wait(this.context.key.accountId, () => this.onReady?.());
    return 'wait';
  }

  finish(): Finished {
    if (this.#refusal !== null) {
      this.readEnd();
      return this.#refusal;
    }
    const pieces = this.collected.pieces();
    const [first] = pieces;
    return this.answerWith(first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces));
  }

  fail(error: GatewayError): void {
    refuse(this.context, error);
  }

  startDrain(): void {
    // Nothing to do: the usage is at the end, and the account's memory bounds what is kept until then.
  }

  release(): void {
    this.collected.release();
  }

  meter(): Metered {
    const { size } = this;
    if (size === 0) return UNMETERED;
    const { report, ...written } = this.#measure(size);
    const isFinal = report !== null && (report.hasOutput || this.#last !== null);
    const metered = meterAnswer(this.context, report, { ...written, tokensSinceReport: 0 });
    return { ...metered, isFinal, estimated: metered.estimated || !isFinal };
  }

  /** Bytes received. */
  protected get size(): number {
    return this.collected.size + this.#skippedBytes;
  }

  /**
   * The response is too large, or there is no memory for the rest of it.
   * @returns the error that ends the attempt; null: the rest is read only for its usage
   */
  protected refuseRest(error: GatewayError): GatewayError | null {
    return error;
  }

  /** Reads the rest of the response only for its usage, then fails. */
  protected skipRest(error: GatewayError): void {
    this.#refusal = error;
    this.#end = new AnswerEnd();
    this.#end.add(this.collected.end());
    this.#head = this.collected.truncate(MAX_MEASURED_BYTES);
  }

  /** Reads the usage at the end of a response that has come completely. */
  protected readEnd(): void {
    if (this.size <= MAX_MEASURED_BYTES && this.#end === null) return;
    this.#last = readLastMembers(this.#end?.bytes ?? this.collected.end());
    this.#begun = null;
  }

  /** Measures at most the first MiB received. @param last the last members; null: unknown */
  protected measure(bytes: Buffer, last: JsonObject | null = null): PartialAnswer {
    return measurePartial(bytes, last);
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

  #add(chunk: Buffer): GatewayError | null {
    if (this.size + chunk.length > this.#maxBytes) return OVERSIZE_ANSWER;
    return this.collected.add(chunk) === null ? null : NO_MEMORY_FOR_ANSWER;
  }

  #skip(chunk: Buffer): void {
    this.#end?.add(chunk);
    this.#skippedBytes += chunk.length;
  }

  #measure(size: number): PartialAnswer {
    const { measured, bytes } = this.#begun ?? this.#measureHead();
    if (size <= bytes || bytes === 0) return measured;
    this.#begun = { measured, bytes };
    return scalePartial(measured, size / bytes);
  }

  #measureHead() {
    const head = this.#head ?? this.collected.head(MAX_MEASURED_BYTES);
    return { measured: this.measure(head, this.#last), bytes: head.length };
  }
}
