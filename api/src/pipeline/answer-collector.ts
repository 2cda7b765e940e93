import { Buffer } from 'node:buffer';
import type { BodyReservation, BodyShortage } from '../request-body/body-budget.ts';

/** Memory of a response that needs no reservation: most responses are smaller, and are sent immediately. */
export const FREE_BYTES = 64 * 1024;
/** Size of later blocks. A large response is never copied to grow. */
const BLOCK_BYTES = 256 * 1024;
/** The smallest reservation. */
export const LEAST_RESERVED_BYTES = FREE_BYTES + BLOCK_BYTES;

/**
 * Collects a response in memory that is reserved first. Pieces are copied, not kept: thousands of tiny pieces would take
 * many times their bytes.
 */
export class AnswerCollector {
  readonly #open: () => BodyReservation;
  readonly #declaredBytes: number;
  #reservation: BodyReservation | null = null;
  #reservedBytes = 0;
  /** A response in one small piece is not copied. */
  #only: Buffer | null = null;
  #blocks: Buffer[] = [];
  #usedOfLast = 0;
  #size = 0;

  /**
   * @param open opens a reservation
   * @param declaredBytes the content-length; 0: unknown
   */
  constructor(open: () => BodyReservation, declaredBytes: number) {
    this.#open = open;
    this.#declaredBytes = declaredBytes;
  }

  /** Number of bytes added. */
  get size(): number {
    return this.#size;
  }

  /** True if memory is reserved for the response. */
  get isReserved(): boolean {
    return this.#reservation !== null;
  }

  /** @returns the exhausted limit, or null if the bytes were added */
  add(chunk: Buffer): BodyShortage | null {
    if (this.#size === 0 && chunk.length <= FREE_BYTES) {
      this.#only = chunk;
      this.#size = chunk.length;
      return null;
    }
    const shortage = this.#makeRoom(this.#size + chunk.length);
    if (shortage !== null) return shortage;
    if (this.#only !== null) this.#copy(this.#only);
    this.#only = null;
    this.#copy(chunk);
    this.#size += chunk.length;
    return null;
  }

  /** The response, in order. */
  pieces(): Buffer[] {
    if (this.#only !== null) return [this.#only];
    return this.#blocks.map((block, at) =>
      at === this.#blocks.length - 1 ? block.subarray(0, this.#usedOfLast) : block,
    );
  }

  /** Keeps nothing of the response but its size. */
  clear(): void {
    this.#blocks = [];
    this.#only = null;
    if (this.#reservedBytes > 0) this.reserve(0);
  }

  /** Hands the blocks over to another user; their memory stays reserved. */
  takePieces(): Buffer[] {
    const pieces = this.pieces();
    this.#blocks = [];
    return pieces;
  }

  /** Reserves memory up to a total. @returns the exhausted limit, or null if it is reserved */
  reserve(bytes: number): BodyShortage | null {
    this.#reservation ??= this.#open();
    const more = bytes - this.#reservedBytes;
    if (more < 0) this.#reservation.shrink(-more);
    const shortage = more > 0 ? this.#reservation.grow(more) : null;
    if (shortage === null) this.#reservedBytes = bytes;
    return shortage;
  }

  /** Keeps the memory reserved until the returned function is called. */
  passOn(): () => void {
    const reservation = this.#reservation;
    this.#reservation = null;
    return () => reservation?.release();
  }

  release(): void {
    this.#reservation?.release();
  }

  #copy(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      let last = this.#blocks.at(-1);
      if (last === undefined || this.#usedOfLast === last.length) {
        last = Buffer.allocUnsafeSlow(last === undefined ? FREE_BYTES : BLOCK_BYTES);
        this.#blocks.push(last);
        this.#usedOfLast = 0;
      }
      const copied = chunk.copy(last, this.#usedOfLast, at);
      this.#usedOfLast += copied;
      at += copied;
    }
  }

  /** Reserves a declared length in one step: if not all responses fit, some still get all they need. */
  #makeRoom(size: number): BodyShortage | null {
    if (size <= FREE_BYTES) return null;
    const bytes = FREE_BYTES + Math.ceil((size - FREE_BYTES) / BLOCK_BYTES) * BLOCK_BYTES;
    return bytes <= this.#reservedBytes ? null : this.reserve(Math.max(bytes, this.#declaredBytes));
  }
}
