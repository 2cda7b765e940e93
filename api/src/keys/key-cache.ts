import { Buffer } from 'node:buffer';
import type { Clock } from '@tollgate/core/clock';
import type { KeyRecord } from '@tollgate/db/queries/key-lookup';
import { LRUCache } from 'lru-cache';
import { KeySpend } from './key-spend.ts';

const MAX_ENTRIES = 100_000;
/** While no change can be heard, an entry older than this is read again. */
const MAX_AGE_UNHEARD_MS = 1_000;
/** Even when all is heard: a net below the notifications, and the life of what is known of unknown keys. */
const MAX_AGE_MS = 60_000;
/** A key that changes again and again while it is read is served as last read, but not kept. */
const MAX_RELOADS = 5;

/** A key as the api keeps it, with its list of models ready for look-ups. */
export interface CachedKey extends KeyRecord {
  hashHex: string;
  allowedModelSet: ReadonlySet<string> | null;
  spend: KeySpend;
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

  /** The entry stays for its spend alone: what is in flight goes on counting in it. */
  #expire(entry: Entry | undefined): void {
    if (entry !== undefined) entry.readAtMs = -Infinity;
  }

  #isFresh(entry: Entry): boolean {
    const ageMs = this.#options.clock.nowMs() - entry.readAtMs;
    return ageMs < (this.#options.isHearing() ? MAX_AGE_MS : MAX_AGE_UNHEARD_MS);
  }

  async #load(hashHex: string, load: Load): Promise<CachedKey | null> {
    const hash = Buffer.from(hashHex, 'hex');
    for (let reload = 0; ; reload++) {
      load.isStale = false;
      const readAtMs = this.#options.clock.nowMs();
      const record = await this.#options.find(hash);
      if (load.isStale && reload < MAX_RELOADS) continue;
      // What waits to be written for the key goes on counting when the key is read again.
      const before = this.#entries.peek(hashHex)?.key?.spend;
      const key = record === null ? null : toCachedKey(hashHex, record, before);
      if (!load.isStale) this.#entries.set(hashHex, { key, readAtMs });
      return key;
    }
  }
}

function toCachedKey(hashHex: string, record: KeyRecord, before: KeySpend | undefined): CachedKey {
  const spend = before ?? new KeySpend(record.spentNanoUsd);
  spend.note(record.spentNanoUsd);
  const allowedModelSet = record.allowedModels === null ? null : new Set(record.allowedModels);
  return { ...record, hashHex, allowedModelSet, spend };
}
