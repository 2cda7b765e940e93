import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { measurePartial, type PartialAnswer } from '@tollgate/dialects/usage/measure-partial';
import { meterAnswer, UNMETERED, type Metered } from './metered.ts';
import { refuse, type Relay, type RelayContext, type Taken } from './relay.ts';
import { OVERSIZE_ANSWER } from './upstream-failure.ts';

/** The largest answer that is gathered, in bytes. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** The same once the caller has left: it is read only for its usage. */
const MAX_DRAINED_BYTES = 4 * 1024 * 1024;

/** What all relays share that answer the caller in one piece, when the provider has sent everything. */
export abstract class GatheredAnswer implements Relay {
  readonly hasBegun = false;
  protected readonly context: RelayContext;
  #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(context: RelayContext, maxBytes: number) {
    this.context = context;
    this.#maxBytes = maxBytes;
  }

  take(chunk: Buffer): Taken {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) return OVERSIZE_ANSWER;
    this.#chunks.push(chunk);
    return 'more';
  }

  finish(): GatewayError | null {
    return this.answerWith(this.#bytes());
  }

  fail(error: GatewayError): void {
    refuse(this.context, error);
  }

  startDrain(): void {
    this.#maxBytes = Math.max(this.#size, MAX_DRAINED_BYTES);
  }

  meter(): Metered {
    if (this.#size === 0) return UNMETERED;
    const { report, ...written } = this.measure(this.#bytes());
    const isFinal = report?.hasOutput === true;
    const metered = meterAnswer(this.context, report, { ...written, tokensSinceReport: 0 });
    return { ...metered, isFinal, estimated: metered.estimated || !isFinal };
  }

  /** Measures what has come. */
  protected measure(bytes: Buffer): PartialAnswer {
    return measurePartial(bytes);
  }

  /** Answers and settles. @returns why that cannot be */
  protected abstract answerWith(bytes: Buffer): GatewayError | null;

  #bytes(): Buffer {
    const [first] = this.#chunks;
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }
}
