import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { measurePartial, type PartialAnswer } from '@tollgate/dialects/usage/measure-partial';
import { hasOutput } from '@tollgate/dialects/usage/billed-parts';
import { AnswerCollector } from './answer-collector.ts';
import { AnswerOutline } from './answer-outline.ts';
import { meterAnswer, UNMETERED, type Metered } from './metered.ts';
import { refuse, type Finished, type Relay, type RelayContext, type Taken } from './relay.ts';
import { NO_MEMORY_FOR_ANSWER, OVERSIZE_ANSWER } from './upstream-failure.ts';

/** Larger responses are measured by their outline. */
export const LARGE_ANSWER_BYTES = 256 * 1024;
/** Kept of a response that declares to be too large: an error may be shorter. */
const MAX_OVERSIZE_BYTES = 1024 * 1024;

/** Base of relays that send the caller one response after the provider has sent everything. */
export abstract class GatheredAnswer implements Relay {
  readonly hasBegun = false;
  protected readonly context: RelayContext;
  protected readonly collected: AnswerCollector;
  readonly #maxBytes: number;
  /** The outline of a large response, or of one whose bytes are not kept; null: it is measured by its bytes. */
  #outline: AnswerOutline | null = null;
  #skippedBytes = 0;
  #refusal: GatewayError | null = null;

  onReady: (() => void) | null = null;

  /** @param declaredBytes the content-length; 0: unknown */
  constructor(context: RelayContext, maxBytes: number, declaredBytes = 0) {
    this.context = context;
    const { largeAnswers, key } = context;
    const openReservation = () => largeAnswers.budget.open(key.accountId);
    const fits = declaredBytes <= maxBytes;
    this.#maxBytes = fits ? maxBytes : Math.min(maxBytes, MAX_OVERSIZE_BYTES);
    this.collected = new AnswerCollector(openReservation, fits ? declaredBytes : 0);
  }

  get refusal(): GatewayError | null {
    return this.#refusal;
  }

  take(chunk: Buffer): Taken {
    const refusal = this.#refusal ?? this.#add(chunk);
    if (refusal !== null) {
      const failure = this.#refusal === null ? this.refuseRest(refusal) : null;
      if (failure !== null) return failure;
      this.#skippedBytes += chunk.length;
    }
    this.#outline?.add(chunk);
    const { turns } = this.context.largeAnswers;
    const { accountId } = this.context.key;
    if (!this.collected.isReserved || !turns.spend(accountId, chunk.length)) return 'more';
    turns.wait(accountId, () => this.onReady?.());
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

  fail(error: GatewayError, metered: Metered): void {
    refuse(this.context, error, metered);
  }

  startDrain(): void {
    // Nothing to do: the usage is at the end, and the account's memory bounds what is kept until then.
  }

  release(): void {
    this.collected.release();
    this.#outline?.release();
  }

  meter(): Metered {
    const { size } = this;
    if (size === 0) return UNMETERED;
    const outline = this.#outline;
    const { report, ...written } = outline?.measure() ?? this.measure(Buffer.concat(this.collected.pieces()));
    const isFinal = report !== null && (report.hasOutput || outline?.hasEnd === true);
    const metered = meterAnswer(this.context, report, { ...written, tokensSinceReport: 0 });
    return { ...metered, isFinal, estimated: metered.estimated || !isFinal || outline?.isCut === true };
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
    this.startOutline();
    this.collected.clear();
  }

  /** From here on the response is measured by its outline. */
  protected startOutline(): void {
    if (this.#outline !== null) return;
    const { spec, key, largeAnswers } = this.context;
    this.#outline = new AnswerOutline({
      openReservation: () => largeAnswers.budget.open(key.accountId),
      hasOutput: hasOutput(spec.endpoint),
    });
    for (const piece of this.collected.pieces()) this.#outline.add(piece);
  }

  /** Reads the usage at the end of a large response that has come completely. */
  protected readEnd(): void {
    this.#outline?.finish();
  }

  /** Measures a response that is not large. */
  protected measure(bytes: Buffer): PartialAnswer {
    return measurePartial(bytes);
  }

  /** Sends the response and settles. @returns the error if that is impossible */
  protected abstract answerWith(bytes: Buffer): GatewayError | null;

  #add(chunk: Buffer): GatewayError | null {
    if (this.size + chunk.length > this.#maxBytes) return OVERSIZE_ANSWER;
    return this.collected.add(chunk) === null ? null : NO_MEMORY_FOR_ANSWER;
  }
}
