import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { refuse, type Metered, type Relay, type RelayContext, type Taken } from './relay.ts';
import { OVERSIZE_ANSWER } from './upstream-failure.ts';

/** The largest answer that is gathered, in bytes. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** What all ways of relaying share that give the caller everything at once, when the provider has sent everything. */
export abstract class GatheredAnswer implements Relay {
  readonly hasBegun = false;
  protected readonly context: RelayContext;
  readonly #maxBytes: number;
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
    const [first] = this.#chunks;
    return this.answerWith(
      first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks),
    );
  }

  fail(error: GatewayError): void {
    refuse(this.context, error);
  }

  meter(): Metered {
    return { usage: null, estimated: false };
  }

  /** Answers and settles. @returns why that cannot be */
  protected abstract answerWith(bytes: Buffer): GatewayError | null;
}
