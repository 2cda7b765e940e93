import { setTimeout as wait } from 'node:timers/promises';

/**
 * What a page should read again. `listening` comes first: from here on nothing is missed. `everything`: something may
 * have been.
 */
export type LiveChange = 'listening' | 'keys' | 'account' | 'catalogue' | 'everything';

/** Changes that come in a crowd are told together. */
const GATHER_MS = 150;

/** One page that watches an account. What it has not been told yet is kept once for each kind. */
export class Watcher {
  readonly accountId: string;
  readonly userId: string;
  readonly #untold = new Set<LiveChange>();
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor({ accountId, userId }: { accountId: string; userId: string }) {
    this.accountId = accountId;
    this.userId = userId;
  }

  tell(change: LiveChange): void {
    this.#untold.add(change);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** The first immediately, those that follow it closely together. */
  async *changes(signal: AbortSignal | undefined): AsyncGenerator<LiveChange> {
    const onAbort = () => this.end();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) this.end();
    try {
      while (!this.#isOver) {
        const changes = [...this.#untold];
        this.#untold.clear();
        if (changes.length === 0) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          continue;
        }
        yield* changes;
        await wait(GATHER_MS);
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}
