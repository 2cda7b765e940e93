import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@tollgate/db/client';
import { unlockConversation, type ConversationPlace } from '@tollgate/db/queries/conversations/conversations';
import { within } from '../within.ts';

/** How long a caller waits until its conversation is unlocked, in ms: its next request would only be refused. */
const UNLOCK_MS = 1_000;
const RETRY_MS = 1_000;

export interface LeftLocksOptions {
  db: Database;
  log: { warn(fields: object, message: string): void };
}

/** Unlocks conversations. What the database does not take is tried again until it does, or the process ends. */
export class LeftLocks implements AsyncDisposable {
  readonly #options: LeftLocksOptions;
  /** By the id of the request that had it. */
  readonly #left = new Map<string, ConversationPlace>();
  readonly #closing = new AbortController();
  #retrying: Promise<void> | null = null;

  constructor(options: LeftLocksOptions) {
    this.#options = options;
  }

  /** Takes little time. Never rejects. */
  async unlock(place: ConversationPlace, requestId: string): Promise<void> {
    if (!(await this.#tryUnlock(place, requestId))) this.leave(place, requestId);
  }

  /** The request may have the conversation: it is unlocked later. */
  leave(place: ConversationPlace, requestId: string): void {
    if (this.#closing.signal.aborted) return;
    this.#left.set(requestId, place);
    this.#retrying ??= this.#retry();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#retrying;
  }

  /** Never rejects. */
  async #retry(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#left.size > 0) {
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      // Each of them: one that cannot be unlocked must not keep the others locked.
      for (const [requestId, place] of this.#left) {
        // With the process, its locks end.
        if (signal.aborted) return;
        if (await this.#tryUnlock(place, requestId)) this.#left.delete(requestId);
      }
    }
    // In the same turn as the check: what is left next must be tried.
    this.#retrying = null;
  }

  async #tryUnlock(place: ConversationPlace, requestId: string): Promise<boolean> {
    const { db, log } = this.#options;
    try {
      await within(unlockConversation(db, place, requestId), UNLOCK_MS, 'the database does not respond');
      return true;
    } catch (error) {
      log.warn({ err: error, conversationId: place.id }, 'a conversation could not be unlocked yet');
      return false;
    }
  }
}
