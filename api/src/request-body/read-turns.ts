import { FairQueue } from '@tollgate/core/runtime/fair-queue';

/** What one turn of the event loop reads of large bodies: well under a millisecond. */
const BYTES_PER_TURN = 256 * 1024;
/** What a reader may take when its turn comes: what Node reads from a socket at a time. */
const BYTES_PER_READER = 64 * 1024;

/**
 * Bounds how long one turn of the event loop is busy with large request bodies. Node reads up to 2 MiB from each socket
 * before it looks at the next one: a few senders on a fast network would delay all other requests by tens of milliseconds.
 */
export class ReadTurns {
  readonly #waiting = new FairQueue<() => void>();
  #leftBytes = BYTES_PER_TURN;
  #isScheduled = false;

  /**
   * Counts bytes that were read.
   * @returns true if the reader must pause, and `wait` for its next turn
   */
  spend(bytes: number): boolean {
    this.#leftBytes -= bytes;
    this.#schedule();
    return this.#leftBytes <= 0;
  }

  /**
   * Waits for a turn.
   * @param owner owners take turns: an account
   * @param resume called once, in a later turn of the event loop
   */
  wait(owner: string, resume: () => void): void {
    this.#waiting.push(owner, resume);
    this.#schedule();
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
