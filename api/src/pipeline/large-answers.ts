import { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import type { BodyBudget } from '../request-body/body-budget.ts';
import { ReadTurns } from '../request-body/read-turns.ts';
import { BodyJobFailed, type BodyWorkers } from '../request-body/worker/body-workers.ts';
import type { ReadSource } from '../request-body/worker/run-read-job.ts';
import type { ReadAnswer } from './read-whole.ts';
import { NO_MEMORY_FOR_ANSWER, OVERSIZE_ANSWER, UNREADABLE_ANSWER } from './upstream-failure.ts';

/** The bytes of an answer for its caller, and what else was read in it. */
type LargeAnswer = Omit<ReadAnswer, 'text'> & { pieces: Buffer[] };

/** What answers that come in one piece take of this process: memory until their callers have them, and threads to read them. */
export class LargeAnswers {
  readonly budget: BodyBudget;
  /** Who reads a large answer from its provider. */
  readonly turns = new ReadTurns();
  readonly #workers: BodyWorkers;

  constructor(budget: BodyBudget, workers: BodyWorkers) {
    this.budget = budget;
    this.#workers = workers;
  }

  /**
   * Reads a large answer in a thread.
   * @param pieces blocks of memory of their own: they are empty from now on
   * @param turn owners take turns: an account; `isWanted` is asked when the turn has come
   * @throws what went wrong in reading it
   */
  async read(
    pieces: readonly Buffer[],
    source: ReadSource,
    turn: { owner: string; isWanted: () => boolean },
  ): Promise<Result<LargeAnswer>> {
    try {
      const job = { kind: 'read', pieces: pieces.map(ownMemoryOf), ...source } as const;
      const answer = await this.#workers.run(job, turn.owner, turn.isWanted);
      if (answer === null || answer.read === 'unreadable') return { ok: false, error: UNREADABLE_ANSWER };
      if (answer.read === 'oversize') return { ok: false, error: OVERSIZE_ANSWER };
      if ('fault' in answer.read) throw new Error(`A large answer was not read: ${answer.read.fault}`);
      if (!answer.read.ok) return answer.read;
      return { ok: true, value: { ...answer.read.value, pieces: answer.pieces.map(bufferOf) } };
    } catch (error) {
      // It took too long, or more memory than a thread has.
      if (error instanceof BodyJobFailed) return { ok: false, error: NO_MEMORY_FOR_ANSWER };
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#workers.close();
  }
}

function ownMemoryOf({ buffer, byteOffset, byteLength }: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
