import { clientFamily } from '@tollgate/core/requests/client-family';
import type { UnknownMemberCount } from '@tollgate/db/queries/contracts/unknown-members';
import type { Logger } from 'pino';

/** Entries kept in memory until they are stored; the least recently seen entry makes room for a new one. */
const MAX_ENTRIES = 1_000;
/** Entries that one account may add. Its further members are not counted until these are stored. */
const MAX_ENTRIES_PER_ACCOUNT = 50;
/** Further members of the same request are not counted. */
const MAX_PER_REQUEST = 20;
const FLUSH_MS = 15_000;
/** Names are chosen by callers: only plain ones are kept. */
const PLAIN_NAME = /^[\w.$:/=-]{1,100}$/;
const OTHER = 'other';

export interface UnknownTallyOptions {
  store: (counts: readonly UnknownMemberCount[]) => Promise<void>;
  log: Logger;
  flushMs?: number;
}

/** The sender of a request. */
export interface Sender {
  accountId: string;
  userAgent: string | null;
}

/** Counts members that no contract knows, and stores the counts in bulk, off the request path. */
export class UnknownTally {
  readonly #options: UnknownTallyOptions;
  #counts = new Map<string, UnknownMemberCount>();
  /** Entries that each account added since the last flush, at most `MAX_ENTRIES_PER_ACCOUNT`. */
  #ofAccount = new Map<string, number>();
  readonly #timer: ReturnType<typeof setInterval>;
  #flushing: Promise<void> | null = null;

  constructor(options: UnknownTallyOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), options.flushMs ?? FLUSH_MS).unref();
  }

  /** Counts unknown members of one request. */
  note(provider: string, members: readonly string[], { accountId, userAgent }: Sender): void {
    const client = clientFamily(userAgent);
    const nowMs = Date.now();
    const named = new Set<string>();
    for (const given of members) {
      named.add(PLAIN_NAME.test(given) ? given : OTHER);
      if (named.size >= MAX_PER_REQUEST) break;
    }
    for (const member of named) {
      const key = `${provider} ${member} ${client}`;
      const known = this.#counts.get(key);
      if (known === undefined && !this.#makeRoom(accountId)) continue;
      const count = known ?? { provider, member, client, accountId, requests: 0, firstSeenAtMs: nowMs };
      // Set again to move it to the end: a map keeps insertion order.
      this.#counts.delete(key);
      this.#counts.set(key, { ...count, requests: count.requests + 1, lastSeenAtMs: nowMs });
    }
  }

  /** @returns false if the account has used its share */
  #makeRoom(accountId: string): boolean {
    const own = this.#ofAccount.get(accountId) ?? 0;
    if (own >= MAX_ENTRIES_PER_ACCOUNT) return false;
    this.#ofAccount.set(accountId, own + 1);
    if (this.#counts.size < MAX_ENTRIES) return true;
    const [key] = this.#counts.keys();
    if (key !== undefined) this.#counts.delete(key);
    return true;
  }

  /** Stores the counts. Counts that cannot be stored are dropped: later requests add them again. */
  async flush(): Promise<void> {
    if (this.#flushing !== null) return this.#flushing;
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#ofAccount = new Map();
    this.#flushing = this.#store(counts);
    await this.#flushing;
    this.#flushing = null;
  }

  /** Stores the remaining counts. */
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
