import { Buffer } from 'node:buffer';

const START_BYTES = 4 * 1024;

/** Bytes that grow at their end. */
export class ByteList {
  #bytes = Buffer.allocUnsafeSlow(START_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends a copy of a part of `from`. */
  append(from: Buffer, start: number, end: number): void {
    const length = this.#length + end - start;
    if (length > this.#bytes.length) this.#grow(length);
    from.copy(this.#bytes, this.#length, start, end);
    this.#length = length;
  }

  /** Removes everything from an offset on. */
  truncate(length: number): void {
    this.#length = Math.min(length, this.#length);
  }

  /** A view, which is valid until the next change. */
  view(start = 0, end = this.#length): Buffer {
    return this.#bytes.subarray(start, end);
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
