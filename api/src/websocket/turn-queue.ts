/** The turns of one connection: one at a time of each stream, in the order of their arrival. */
export class TurnQueue<Turn extends { stream: string }> {
  readonly #maxRunning: number;
  readonly #running = new Set<Turn>();
  #waiting: Turn[] = [];

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  get running(): Iterable<Turn> {
    return this.#running;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  push(turn: Turn): void {
    this.#waiting.push(turn);
  }

  /** Starts the next turn whose stream has none in progress. @returns null if all must wait */
  start(): Turn | null {
    if (this.#running.size >= this.#maxRunning) return null;
    const busy = new Set<string>();
    for (const { stream } of this.#running) busy.add(stream);
    const at = this.#waiting.findIndex(({ stream }) => !busy.has(stream));
    const [turn] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (turn === undefined) return null;
    this.#running.add(turn);
    return turn;
  }

  end(turn: Turn): void {
    this.#running.delete(turn);
  }

  /** Drops the turns that wait. */
  clear(): Turn[] {
    const dropped = this.#waiting;
    this.#waiting = [];
    return dropped;
  }
}
