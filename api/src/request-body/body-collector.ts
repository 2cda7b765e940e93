import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { copyBytes } from './copy-bytes.ts';
import { shortageError, tooLarge, type ReadLimits } from './read-limits.ts';

/** Initial capacity for a body of unknown length. */
const FIRST_CAPACITY_BYTES = 64 * 1024;

/**
 * Collects a body in memory that is reserved first. A body of known length gets one block; one of unknown length (chunked)
 * gets blocks of doubling size, each reserved together with the one it replaces. Pieces are copied, not kept: thousands of
 * tiny pieces would take many times their bytes.
 */
export class BodyCollector {
  readonly #limits: Pick<ReadLimits, 'maxBytes' | 'reservation'>;
  readonly #declaredBytes: number | null;
  /** A body that arrives in one piece is not copied. */
  #only: Buffer | null = null;
  #block: Buffer | null = null;
  #reservedBytes = 0;
  receivedBytes = 0;

  /** @param declaredBytes the content-length; null: unknown */
  constructor(declaredBytes: number | null, limits: Pick<ReadLimits, 'maxBytes' | 'reservation'>) {
    this.#declaredBytes = declaredBytes;
    this.#limits = limits;
  }

  /** Reserves the declared length. @returns the error if the body must not be read */
  start(): GatewayError | null {
    const { maxBytes } = this.#limits;
    if (this.#declaredBytes === null) return null;
    if (this.#declaredBytes > maxBytes) return tooLarge(maxBytes).error;
    return this.#reserve(this.#declaredBytes);
  }

  /** @returns the error if no more must be read */
  add(chunk: Buffer): GatewayError | null {
    return this.#add(chunk, false);
  }

  /** The same for bytes that are valid until the return. */
  addLent(chunk: Buffer): GatewayError | null {
    return this.#add(chunk, true);
  }

  #add(chunk: Buffer, isLent: boolean): GatewayError | null {
    const { maxBytes } = this.#limits;
    const received = this.receivedBytes + chunk.length;
    if (received > maxBytes) return tooLarge(maxBytes).error;
    const error = received > this.#reservedBytes ? this.#makeRoom(received) : null;
    if (error !== null) return error;
    const isWhole = this.#declaredBytes === null || chunk.length === this.#declaredBytes;
    if (this.receivedBytes === 0 && this.#block === null && isWhole)
      this.#only = isLent ? copyBytes(chunk, 0, chunk.length) : chunk;
    else this.#copy(chunk);
    this.receivedBytes = received;
    return null;
  }

  /** False for a chunk that was copied. */
  keeps(chunk: Buffer): boolean {
    return this.#only === chunk;
  }

  /** True for a body of known length, once all of it was added. */
  get isComplete(): boolean {
    return this.receivedBytes === this.#declaredBytes;
  }

  /** The whole body. Its memory stays reserved until the reservation is released. */
  finish(): Buffer {
    if (this.#block === null) return this.#only ?? Buffer.alloc(0);
    return this.#block.subarray(0, this.receivedBytes);
  }

  #copy(chunk: Buffer): void {
    if (this.#block === null || this.#block.length < this.#reservedBytes) {
      const before = this.#block?.subarray(0, this.receivedBytes) ?? this.#only;
      this.#block = Buffer.allocUnsafeSlow(this.#reservedBytes);
      before?.copy(this.#block);
      this.#only = null;
    }
    chunk.copy(this.#block, this.receivedBytes);
  }

  /** Doubles the reservation; both blocks exist while the old one is copied. */
  #makeRoom(needed: number): GatewayError | null {
    const before = this.#reservedBytes;
    const capacity = Math.min(
      Math.max(needed, before * 2, FIRST_CAPACITY_BYTES),
      Math.max(needed, this.#limits.maxBytes),
    );
    const error = this.#reserve(capacity);
    if (error !== null) return error;
    this.#limits.reservation.shrink(before);
    this.#reservedBytes = capacity;
    return null;
  }

  #reserve(bytes: number): GatewayError | null {
    const shortage = this.#limits.reservation.grow(bytes);
    if (shortage !== null) return shortageError(shortage);
    this.#reservedBytes = bytes;
    return null;
  }
}
