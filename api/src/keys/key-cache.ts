import { Buffer } from 'node:buffer';
import { ModelSet } from '@tollgate/core/models/model-pattern';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { KeyRecord } from '@tollgate/db/queries/keys/key-lookup';
import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 100_000;
/** Maximum age of an entry while change notifications cannot be received. */
const MAX_AGE_UNHEARD_MS = 1_000;
/** Maximum age otherwise: a safety net for lost notifications, and the lifetime of entries for unknown keys. */
const MAX_AGE_MS = 60_000;
/** How long a cached key stays valid while the database does not answer. */
const MAX_AGE_UNREADABLE_MS = 60_000;
/** A key that keeps changing during reads is served as last read, but not cached. */
const MAX_RELOADS = 5;

/** A cached key, with its model list as a set. */
export interface CachedKey extends KeyRecord {
  hashHex: string;
  allowedModelSet: ModelSet | null;
  planModelSet: ModelSet | null;
}

interface Entry {
  /** null: no such key exists. */
  key: CachedKey | null;
  readAtMs: number;
}

interface Load {
  promise: Promise<CachedKey | null>;
  /** Something changed since the read began: its result may be outdated. */
  isStale: boolean;
}

export interface KeyCacheOptions {
  clock: Clock;
  find: (hash: Buffer) => Promise<KeyRecord | null>;
  onRead?: ((key: KeyRecord) => void) | undefined;
  /** True while change notifications are received. */
  isHearing: () => boolean;
}

/**
 * Keys by the SHA-256 of the key, including unknown ones. A change drops its entry and marks a running read as stale, so
 * that a slow read never restores a key that was revoked meanwhile.
 */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  // `max` would take memory for all entries at once, which costs each start 16 ms and 5 MB.
  readonly #entries = new LRUCache<string, Entry>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 });
  readonly #loads = new Map<string, Load>();
  #failedAtMs = -Infinity;

  constructor(options: KeyCacheOptions) {
    this.#options = options;
  }

  /** @returns the key, or null if none exists; a promise only if the database must be queried */
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

  /** A key was created, revoked or removed. */
  dropKey(hashHex: string): void {
    const load = this.#loads.get(hashHex);
    if (load !== undefined) load.isStale = true;
    this.#expire(this.#entries.peek(hashHex));
  }

  /** An account was suspended or resumed: drops the entries of all its keys. */
  dropAccount(accountId: string): void {
    for (const load of this.#loads.values()) load.isStale = true;
    for (const entry of this.#entries.values()) if (entry.key?.accountId === accountId) this.#expire(entry);
  }

  /** Changes may have been missed: drops all entries. */
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
    // A database that just failed is not queried for every request.
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
   * Queries the database; if it does not answer, a recently cached key stays valid, an unknown one does not.
   * @throws what `find` throws if nothing is cached
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
    allowedModelSet: allowedModels === null ? null : new ModelSet(allowedModels),
    planModelSet: plan.allowedModels === null ? null : new ModelSet(plan.allowedModels),
  };
}
