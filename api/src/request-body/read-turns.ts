import { FairQueue } from '@tollgate/core/runtime/fair-queue';
import { ReadRate } from './read-rate.ts';

/** Bytes of large bodies read in one turn of the event loop: well under a millisecond. */
const BYTES_PER_TURN = 256 * 1024;
/** Bytes that each reader is expected to read at its turn, one socket read of Node: by them, so many are resumed together. */
const BYTES_PER_READER = 64 * 1024;

/**
 * Bounds how long large request bodies and responses occupy one turn of the event loop, and how fast those of one account are
 * read. Node reads up to 2 MiB from each socket before it handles the next one: a few fast senders would delay all other
 * requests by tens of milliseconds.
 */
export class ReadTurns {
  readonly #waiting = new FairQueue<() => void>();
  readonly #rate: ReadRate;
  #leftBytes = BYTES_PER_TURN;
  #isScheduled = false;

  constructor(rate: ReadRate = new ReadRate()) {
    this.#rate = rate;
  }

  /**
   * Counts bytes that were read.
   * @param owner owners (accounts) take turns
   * @param isAtTurn true for a reader that was resumed at its turn and has not paused since
   * @returns true if the reader must pause and `wait` for its next turn, also because others wait for theirs
   */
  spend(owner: string, bytes: number, isAtTurn = false): boolean {
    this.#rate.spend(owner, bytes);
    this.#leftBytes -= bytes;
    this.#schedule();
    const mustYield = this.#waiting.size > 0 && !isAtTurn;
    return this.#leftBytes <= 0 || mustYield || this.#rate.waitMs(owner) > 0;
  }

  /**
   * Waits for a turn.
   * @param resume called once, in a later turn of the event loop
   */
  wait(owner: string, resume: () => void): void {
    const waitMs = this.#rate.waitMs(owner);
    if (waitMs > 0) setTimeout(() => this.wait(owner, resume), waitMs);
    else {
      this.#waiting.push(owner, resume);
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startTurn());
  }

  #startTurn(): void {
    this.#isScheduled = false;
    this.#leftBytes = BYTES_PER_TURN;
    for (let readers = BYTES_PER_TURN / BYTES_PER_READER; readers > 0; readers -= 1)
      this.#waiting.shift()?.();
    if (this.#waiting.size > 0) this.#schedule();
  }
}
