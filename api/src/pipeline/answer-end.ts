import { Buffer } from 'node:buffer';
import { MAX_END_BYTES } from '@tollgate/dialects/usage/read-last-members';

/** The last bytes of a response whose middle is not kept. */
export class AnswerEnd {
  readonly #kept = Buffer.allocUnsafeSlow(2 * MAX_END_BYTES);
  #used = 0;

  add(chunk: Buffer): void {
    const last = chunk.subarray(Math.max(0, chunk.length - MAX_END_BYTES));
    if (this.#used + last.length > this.#kept.length) {
      this.#kept.copyWithin(0, this.#used - MAX_END_BYTES, this.#used);
      this.#used = MAX_END_BYTES;
    }
    this.#used += last.copy(this.#kept, this.#used);
  }

  /** At most 64 KiB. */
  get bytes(): Buffer {
    return this.#kept.subarray(Math.max(0, this.#used - MAX_END_BYTES), this.#used);
  }
}
