import { clientFamily } from '@tollgate/core/client-family';
import type { UnknownMemberCount } from '@tollgate/db/queries/contracts/unknown-members';
import type { Logger } from 'pino';

/** Kept in memory until they are stored; further members are not counted. */
const MAX_ENTRIES = 1_000;
const FLUSH_MS = 15_000;
/** Names are the caller's own: only plain ones are kept. */
const PLAIN_NAME = /^[\w.$:/=-]{1,100}$/;
const OTHER = 'other';

export interface UnknownTallyOptions {
  store: (counts: readonly UnknownMemberCount[]) => Promise<void>;
  log: Logger;
  flushMs?: number;
}

/** Counts members that no contract knows, and stores the counts in bulk, off the path of any request. */
export class UnknownTally {
  readonly #options: UnknownTallyOptions;
  #counts = new Map<string, UnknownMemberCount>();
  readonly #timer: ReturnType<typeof setInterval>;
  #flushing: Promise<void> | null = null;

  constructor(options: UnknownTallyOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), options.flushMs ?? FLUSH_MS).unref();
  }

  /** Notes members of one request. */
  note(provider: string, members: readonly string[], userAgent: string | null): void {
    const client = clientFamily(userAgent);
    const nowMs = Date.now();
    for (const given of new Set(members)) {
      const member = PLAIN_NAME.test(given) ? given : OTHER;
      const key = `${provider} ${member} ${client}`;
      const known = this.#counts.get(key);
      if (known !== undefined) {
        known.requests += 1;
        known.lastSeenAtMs = nowMs;
      } else if (this.#counts.size < MAX_ENTRIES) {
        const count = { provider, member, client, requests: 1, firstSeenAtMs: nowMs, lastSeenAtMs: nowMs };
        this.#counts.set(key, count);
      }
    }
  }

  /** Stores what was counted. Counts that cannot be stored are dropped: the next requests bring them again. */
  async flush(): Promise<void> {
    if (this.#flushing !== null) return this.#flushing;
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#flushing = this.#store(counts);
    await this.#flushing;
    this.#flushing = null;
  }

  /** Stores what is left. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
  }

  async #store(counts: readonly UnknownMemberCount[]): Promise<void> {
    try {
      await this.#options.store(counts);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'unknown request members could not be stored');
    }
  }
}
