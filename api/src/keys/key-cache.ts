import { Buffer } from 'node:buffer';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { KeyRecord } from '@tollgate/db/queries/keys/key-lookup';
import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 100_000;
/** While no change can be heard, an entry older than this is read again. */
const MAX_AGE_UNHEARD_MS = 1_000;
/** Even when all is heard: a net below the notifications, and the life of what is known of unknown keys. */
const MAX_AGE_MS = 60_000;
/** While the database does not answer, what was read of a key holds for so long. */
const MAX_AGE_UNREADABLE_MS = 60_000;
/** A key that changes again and again while it is read is served as last read, but not kept. */
const MAX_RELOADS = 5;

/** A key as the api keeps it, with its list of models ready for look-ups. */
export interface CachedKey extends KeyRecord {
  hashHex: string;
  allowedModelSet: ReadonlySet<string> | null;
  planModelSet: ReadonlySet<string> | null;
}

interface Entry {
  /** null: there is no such key. */
  key: CachedKey | null;
  readAtMs: number;
}

interface Load {
  promise: Promise<CachedKey | null>;
  /** Something changed since the read began: what it found may be of before. */
  isStale: boolean;
}

export interface KeyCacheOptions {
  clock: Clock;
  find: (hash: Buffer) => Promise<KeyRecord | null>;
  onRead?: ((key: KeyRecord) => void) | undefined;
  /** True while every change is told. */
  isHearing: () => boolean;
}

/**
 * Keys by the SHA-256 of the key, unknown ones included. A change drops its entry, and marks a read under way as
 * stale, so that a slow read never brings back a key that was revoked meanwhile.
 */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  readonly #loads = new Map<string, Load>();
  #failedAtMs = -Infinity;

  constructor(options: KeyCacheOptions) {
    this.#options = options;
  }

  /** @returns the key, null where there is none; a promise only where the database must be asked */
  find(hashHex: string): CachedKey | null | Promise<CachedKey | null> {
    const entry = this.#entries.get(hashHex);
    if (entry !== undefined && this.#isFresh(entry)) return entry.key;
    const running = this.#loads.get(hashHex);
    if (running !== undefined) return running.promise;
    const load: Load = { promise: Promise.resolve(null), isStale: false };
    load.promise = this.#load(hashHex, load).finally(() => this.#loads.delete(hashHex));
    this.#loads.set(hashHex, load);
    return load.promise;
  }

  /** A key was made, revoked or removed. */
  dropKey(hashHex: string): void {
    const load = this.#loads.get(hashHex);
    if (load !== undefined) load.isStale = true;
    this.#expire(this.#entries.peek(hashHex));
  }

  /** An account was suspended or resumed: everything known of its keys goes. */
  dropAccount(accountId: string): void {
    for (const load of this.#loads.values()) load.isStale = true;
    for (const entry of this.#entries.values()) if (entry.key?.accountId === accountId) this.#expire(entry);
  }

  /** Changes may have been missed: everything goes. */
  dropAll(): void {
    for (const load of this.#loads.values()) load.isStale = true;
    for (const entry of this.#entries.values()) this.#expire(entry);
  }

  #expire(entry: Entry | undefined): void {
    if (entry !== undefined) entry.readAtMs = -Infinity;
  }

  #isFresh(entry: Entry): boolean {
    const nowMs = this.#options.clock.nowMs();
    const ageMs = nowMs - entry.readAtMs;
    if (this.#options.isHearing()) return ageMs < MAX_AGE_MS;
    // A database that has just failed is not asked for every request.
    if (nowMs - this.#failedAtMs < MAX_AGE_UNHEARD_MS && entry.key !== null)
      return ageMs < MAX_AGE_UNREADABLE_MS;
    return ageMs < MAX_AGE_UNHEARD_MS;
  }

  async #load(hashHex: string, load: Load): Promise<CachedKey | null> {
    const hash = Buffer.from(hashHex, 'hex');
    for (let reload = 0; ; reload++) {
      load.isStale = false;
      const readAtMs = this.#options.clock.nowMs();
      const found = await this.#read(hash, load, hashHex);
      if (found.isStandIn) return found.key;
      if (load.isStale && reload < MAX_RELOADS) continue;
      if (found.record !== null) this.#options.onRead?.(found.record);
      const key = found.record === null ? null : toCachedKey(hashHex, found.record);
      if (!load.isStale) this.#entries.set(hashHex, { key, readAtMs });
      return key;
    }
  }

  /**
   * Asks the database; where it does not answer, a key that was known a moment ago goes on, unknown ones do not.
   * @throws what `find` throws where nothing is known
   */
  async #read(
    hash: Buffer,
    load: Load,
    hashHex: string,
  ): Promise<{ isStandIn: false; record: KeyRecord | null } | { isStandIn: true; key: CachedKey }> {
    try {
      return { isStandIn: false, record: await this.#options.find(hash) };
    } catch (error) {
      this.#failedAtMs = this.#options.clock.nowMs();
      const entry = this.#entries.peek(hashHex);
      const isYoung =
        entry !== undefined && this.#options.clock.nowMs() - entry.readAtMs < MAX_AGE_UNREADABLE_MS;
      if (!isYoung || entry.key === null || load.isStale) throw error;
      return { isStandIn: true, key: entry.key };
    }
  }
}

function toCachedKey(hashHex: string, record: KeyRecord): CachedKey {
  const { allowedModels, plan } = record;
  return {
    ...record,
    hashHex,
    allowedModelSet: allowedModels === null ? null : new Set(allowedModels),
    planModelSet: plan.allowedModels === null ? null : new Set(plan.allowedModels),
  };
}
