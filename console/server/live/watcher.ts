import { setTimeout as wait } from 'node:timers/promises';

/**
 * What a page should read again. `listening` comes first: no later change is missed. `everything`: changes may have
 * been missed.
 */
export type LiveChange = 'listening' | 'keys' | 'account' | 'catalogue' | 'everything';

/** Changes within a short time are sent together. */
const GATHER_MS = 150;

/** One page that watches an account. Pending changes are kept once per kind. */
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

  notify(change: LiveChange): void {
    this.#untold.add(change);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** The first change is sent immediately. Changes shortly after it are sent together. */
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
