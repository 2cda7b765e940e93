import type { Buffer } from 'node:buffer';
import type { BodyReservation, BodyShortage } from '../request-body/body-budget.ts';
import { isTooSlow, type BodyPace } from '../request-body/read-limits.ts';
import { FrameMeter } from './frame-meter.ts';

/** Each piece of a message that is not complete is a separate object: many tiny pieces take more than their bytes. */
const PIECE_BYTES = 256;

/** A larger message is read in turns. */
const LARGE_BYTES = 64 * 1024;

/**
 * The memory of the messages of one connection until their turns start. The bytes of a message that is not complete are
 * reserved before the library keeps them.
 */
export class ReceivedBytes {
  readonly #reservation: BodyReservation;
  readonly #frames = new FrameMeter();
  /** Reserved for the message that is not complete, and its bytes. */
  #partBytes = 0;
  #receivedBytes = 0;
  #startedAtMs = 0;
  #lastAtMs = 0;
  /** Of complete messages that wait. */
  #waitingBytes = 0;
  #reservedBytes = 0;

  constructor(reservation: BodyReservation) {
    this.#reservation = reservation;
  }

  /**
   * Before the library reads a piece.
   * @returns the exhausted limit
   */
  add(piece: Buffer, nowMs: number): BodyShortage | null {
    if (this.#receivedBytes === 0) this.#startedAtMs = nowMs;
    this.#lastAtMs = nowMs;
    this.#partBytes += piece.length + PIECE_BYTES;
    this.#receivedBytes += piece.length;
    return this.#reserve();
  }

  /** A message is complete, and waits. */
  keep(bytes: number): void {
    this.#waitingBytes += bytes;
    this.#partBytes = Math.max(this.#partBytes - bytes, 0);
  }

  /** After the library has read a piece, and `keep` was called for its messages. */
  settle(piece: Buffer): void {
    const hasEnd = this.#frames.push(piece);
    if (this.#frames.isBetween) {
      this.#partBytes = 0;
      this.#receivedBytes = 0;
    } else if (hasEnd) {
      // The rest of the piece is the start of the next message.
      this.#partBytes = piece.length + PIECE_BYTES;
      this.#receivedBytes = piece.length;
      this.#startedAtMs = this.#lastAtMs;
    }
    this.#reserve();
  }

  /** A waiting message has been taken, or is dropped. */
  release(bytes: number): void {
    this.#waitingBytes -= bytes;
    this.#reserve();
  }

  /** True if the message that is not complete is large. */
  get isLarge(): boolean {
    return this.#receivedBytes > LARGE_BYTES;
  }

  /** True if the message that is not complete arrives too slowly. */
  isTooSlow(pace: BodyPace, nowMs: number): boolean {
    if (this.#receivedBytes === 0) return false;
    const elapsedMs = nowMs - this.#startedAtMs;
    const lastByteMs = this.#lastAtMs - this.#startedAtMs;
    return isTooSlow(pace, { receivedBytes: this.#receivedBytes, elapsedMs, lastByteMs });
  }

  close(): void {
    this.#reservation.release();
  }

  #reserve(): BodyShortage | null {
    const more = this.#partBytes + this.#waitingBytes - this.#reservedBytes;
    const shortage = more > 0 ? this.#reservation.grow(more) : null;
    if (more < 0) this.#reservation.shrink(-more);
    if (shortage === null) this.#reservedBytes += more;
    return shortage;
  }
}
