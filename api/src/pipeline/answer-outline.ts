import type { Buffer } from 'node:buffer';
import { JsonOutline } from '@tollgate/dialects/json/json-outline';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { OversizeEventError } from '@tollgate/dialects/sse/oversize-event';
import { MEASURING } from '@tollgate/dialects/sse/outline-rules';
import { measurePartial, type PartialAnswer } from '@tollgate/dialects/usage/measure-partial';
import { readLastMembers } from '@tollgate/dialects/usage/read-last-members';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { FREE_BYTES } from './answer-collector.ts';
import { AnswerEnd } from './answer-end.ts';

/** More text than any model writes, and measured in some ten milliseconds. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Read between two looks at the size of the outline. */
const PIECE_BYTES = 64 * 1024;

export interface OutlineOptions {
  /** Opens a reservation for an outline above 64 KiB. */
  openReservation: () => BodyReservation;
  /** False: the response has no text and no tools, such as embeddings; only its usage is read. */
  hasOutput: boolean;
}

/**
 * Measures a large response while it arrives, without its bytes: it keeps an outline, which has all of the model's text, and
 * the last bytes, which have the usage. Takes about 2 ns for each byte.
 */
export class AnswerOutline {
  readonly #options: OutlineOptions;
  readonly #outline = new JsonOutline(MEASURING);
  readonly #end = new AnswerEnd();
  #reservation: BodyReservation | null = null;
  /** At first room for the outline of most responses, and for what an error says. */
  #maxBytes = FREE_BYTES;
  /** The outline is too large, or there is no memory for more of it: the rest is not measured. */
  #isStopped = false;
  /** The last members of a response that the provider has sent completely; null: not read. */
  #last: JsonObject | null = null;
  #measured: PartialAnswer | null = null;

  constructor(options: OutlineOptions) {
    this.#options = options;
  }

  /** Reads more of the response. */
  add(bytes: Buffer): void {
    this.#end.add(bytes);
    if (!this.#isStopped) this.#measured = null;
    for (let at = 0; at < bytes.length && !this.#isStopped; at += PIECE_BYTES)
      this.#push(bytes, at, Math.min(bytes.length, at + PIECE_BYTES));
  }

  /** The provider has sent everything: reads the usage at the end. */
  finish(): void {
    this.#last = readLastMembers(this.#end.bytes);
    this.#measured = null;
  }

  /** What has come so far. */
  measure(): PartialAnswer {
    this.#measured ??= measurePartial(this.#outline.bytes, this.#last);
    return this.#measured;
  }

  /** True if the usage at the end of the response was read. */
  get hasEnd(): boolean {
    return this.#last !== null;
  }

  /** True if text or calls of tools may be missing in the measurement. */
  get isCut(): boolean {
    return this.#isStopped && this.#options.hasOutput;
  }

  /** Releases the memory of the outline. */
  release(): void {
    this.#reservation?.release();
  }

  #push(bytes: Buffer, start: number, end: number): void {
    try {
      this.#outline.push(bytes, start, end);
    } catch (error) {
      if (!(error instanceof OversizeEventError)) throw error;
      this.#isStopped = true;
    }
    while (!this.#isStopped && this.#outline.bytes.length > this.#maxBytes) this.#makeRoom();
  }

  /** Doubles the room, as the outline does. */
  #makeRoom(): void {
    const mayGrow = this.#options.hasOutput && this.#maxBytes < MAX_BYTES;
    if (mayGrow) this.#reservation ??= this.#options.openReservation();
    const isFull = !mayGrow || this.#reservation?.grow(2 * this.#maxBytes - this.#reservedBytes) !== null;
    if (isFull) this.#isStopped = true;
    else this.#maxBytes *= 2;
  }

  get #reservedBytes(): number {
    return this.#maxBytes === FREE_BYTES ? 0 : this.#maxBytes;
  }
}
