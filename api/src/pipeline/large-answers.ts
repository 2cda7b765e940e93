import { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import type { BodyBudget } from '../request-body/body-budget.ts';
import { ReadTurns } from '../request-body/read-turns.ts';
import { BodyJobFailed, type BodyWorkers } from '../request-body/worker/body-workers.ts';
import type { MarkedPlaces, MarkSource } from '../stored/mark-large.ts';
import type { ReadSource } from '../request-body/worker/run-read-job.ts';
import { LEAST_RESERVED_BYTES } from './answer-collector.ts';
import type { ReadAnswer } from './read-whole.ts';
import { NO_MEMORY_FOR_ANSWER, OVERSIZE_ANSWER, UNREADABLE_ANSWER } from './upstream-failure.ts';

/** The largest response that is not a stream, in bytes. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
/** Reserved besides a response: its outline, and the rest of its last block. */
const ROOM_BYTES = 2 * 1024 * 1024;
/** An account can hold at least one response of 64 MiB. */
export const MIN_ACCOUNT_RESPONSE_BYTES = 64 * 1024 * 1024 + ROOM_BYTES;

/** The bytes of a response for its caller, and the other values read from it. */
type LargeAnswer = Omit<ReadAnswer, 'text'> & { pieces: Buffer[] };

/** A response that says whether it is stored. */
export interface MarkedAnswer {
  bytes: Buffer;
  places: MarkedPlaces;
  /** Releases its memory. */
  release: () => void;
}

/** Resources for responses that are not streams: memory until their callers have them, and threads to read them. */
export class LargeAnswers {
  readonly budget: BodyBudget;
  /** Turns for reading large responses from providers. */
  readonly turns = new ReadTurns();
  /** The largest response that is accepted, in bytes: a larger one does not fit, however little memory is in use. */
  readonly maxBytes: number;
  readonly #workers: BodyWorkers;

  constructor(budget: BodyBudget, workers: BodyWorkers) {
    this.budget = budget;
    this.#workers = workers;
    this.maxBytes = Math.min(MAX_ANSWER_BYTES, budget.maxReservedBytes - ROOM_BYTES);
  }

  /** True if the account has memory for a large response now. */
  hasRoom(accountId: string): boolean {
    return this.budget.hasRoom(accountId, LEAST_RESERVED_BYTES);
  }

  /**
   * Reads a large response in a thread.
   * @param pieces blocks with separate memory: they are empty afterwards
   * @param turn owners (accounts) take turns; `isWanted` is called at its turn
   * @throws the error that occurred while reading
   */
  async read(
    pieces: readonly Buffer[],
    source: ReadSource,
    turn: { owner: string; isWanted: () => boolean },
  ): Promise<Result<LargeAnswer>> {
    try {
      const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const job = { kind: 'read', pieces: pieces.map(copyToOwnMemory), ...source } as const;
      const answer = await this.#workers.run(() => job, { bytes, ...turn });
      if (answer === null || answer.read === 'unreadable') return { ok: false, error: UNREADABLE_ANSWER };
      if (answer.read === 'oversize') return { ok: false, error: OVERSIZE_ANSWER };
      if ('failure' in answer.read) throw new Error(`A large response was not read: ${answer.read.failure}`);
      if (!answer.read.ok) return answer.read;
      return { ok: true, value: { ...answer.read.value, pieces: answer.pieces.map(toBuffer) } };
    } catch (error) {
      // The job exceeded the time limit or the heap of a thread.
      if (error instanceof BodyJobFailed) return { ok: false, error: NO_MEMORY_FOR_ANSWER };
      throw error;
    }
  }

  /**
   * Marks a large response in a thread, in memory that is reserved until it is released.
   * @param bytes with separate memory: they are empty afterwards
   * @returns null if there is no response in them, no memory for them, or the caller has disconnected
   * @throws the error that occurred in the thread
   */
  async mark(
    bytes: Buffer,
    source: MarkSource,
    turn: { owner: string; isWanted: () => boolean },
  ): Promise<MarkedAnswer | null> {
    const reservation = this.budget.open(turn.owner);
    let isMarked = false;
    try {
      // As given and as marked.
      const size = bytes.length;
      if (reservation.grow(2 * size) !== null) return null;
      const job = { kind: 'mark', ...source, body: toOwnMemory(bytes) } as const;
      const answer = await this.#workers.run(() => job, { bytes: size, ...turn });
      if (answer === null || answer.places === null) return null;
      isMarked = true;
      return { bytes: toBuffer(answer.body), places: answer.places, release: () => reservation.release() };
    } catch (error) {
      if (error instanceof BodyJobFailed && error.failure !== 'exception') return null;
      throw error;
    } finally {
      if (!isMarked) reservation.release();
    }
  }

  close(): Promise<void> {
    return this.#workers.close();
  }
}

function copyToOwnMemory({ buffer, byteOffset, byteLength }: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Short bytes share their memory. */
function toOwnMemory(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return bytes.byteLength === bytes.buffer.byteLength ? copyToOwnMemory(bytes) : new Uint8Array(bytes);
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
