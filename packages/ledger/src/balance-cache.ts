import type { BalanceTotals, KeyTotals, LedgerCommit } from '@tollgate/core/money/ledger';
import type { NanoUsd } from '@tollgate/core/money/money';

const MAX_ENTRIES = 200_000;

/**
 * A request may be sent before its hold is granted if, for each replica, this many times the worst case of all such
 * requests is available. Holds of other replicas since the last commit are unknown: a tenth each at the same time
 * still fits. If a hold is refused after sending, the operator pays for the discarded call.
 */
const PLENTY_FACTOR = 10n;
/** With older totals, only one request at a time is sent early, because other replicas' holds are unknown. */
const FRESH_MS = 1_000;

/** Holds that this replica requested in addition to the known totals. */
interface Known {
  /** Requested but undecided holds of this replica, in nano-dollars. */
  pending: NanoUsd;
  /** Time of the totals, in milliseconds of `performance.now()`. */
  readAtMs: number;
}

/** Last known totals of a key in nano-dollars: spent and held on all replicas. */
export interface KnownKey extends Known {
  spent: NanoUsd;
  held: NanoUsd;
}

/** Last known totals of an account's balance. */
export interface KnownBalance extends Known {
  available: NanoUsd;
  held: NanoUsd;
}

/** A candidate for sending before its hold is granted. */
export interface EarlyRequest {
  keyId: string;
  accountId: string;
  /** The key's budget; null: none. */
  keyCapNanoUsd: NanoUsd | null;
  /** False: the account is not prepaid. */
  chargesBalance: boolean;
  /** Worst-case cost. */
  wantNanoUsd: NanoUsd;
}

/**
 * Caches totals from recent commits and lookups. They decide only whether to send a request early. The database
 * decides on admission.
 */
export class BalanceCache {
  readonly #keys = new Map<string, KnownKey>();
  readonly #balances = new Map<string, KnownBalance>();
  /** Number of replicas on the database, including this one. Others see new holds with a delay. */
  replicas = 1;

  /** The record of the key; the same object while it is cached. */
  key(keyId: string): KnownKey {
    return getOrAdd(this.#keys, keyId, newKey);
  }

  balance(accountId: string): KnownBalance {
    return getOrAdd(this.#balances, accountId, newBalance);
  }

  /** True if enough is available to send the request before its hold is granted. */
  canSendEarly({ keyId, accountId, keyCapNanoUsd, chargesBalance, wantNanoUsd }: EarlyRequest): boolean {
    if (keyCapNanoUsd !== null) {
      const key = this.key(keyId);
      if (!this.#isPlenty(key, keyCapNanoUsd - key.spent - key.held, wantNanoUsd)) return false;
    }
    if (!chargesBalance) return true;
    const balance = this.balance(accountId);
    return this.#isPlenty(balance, balance.available - balance.held, wantNanoUsd);
  }

  /** @param free neither spent nor held on any replica, as of the last totals */
  #isPlenty({ pending, readAtMs }: Known, free: NanoUsd, want: NanoUsd): boolean {
    // A single replica knows all holds.
    if (this.replicas === 1) return free - pending >= want * PLENTY_FACTOR;
    if (pending > 0n && performance.now() - readAtMs > FRESH_MS) return false;
    return free >= (pending + want) * PLENTY_FACTOR * BigInt(this.replicas);
  }

  noteKey({ keyId, spentNanoUsd, heldNanoUsd }: KeyTotals): void {
    const known = this.key(keyId);
    known.spent = spentNanoUsd;
    known.held = heldNanoUsd;
    known.readAtMs = performance.now();
  }

  noteBalance({ accountId, availableNanoUsd, heldNanoUsd }: BalanceTotals): void {
    const known = this.balance(accountId);
    known.available = availableNanoUsd;
    known.held = heldNanoUsd;
    known.readAtMs = performance.now();
  }

  noteCommit({ keys, balances }: Pick<LedgerCommit, 'keys' | 'balances'>): void {
    for (const key of keys) this.noteKey(key);
    for (const balance of balances) this.noteBalance(balance);
  }
}

function newKey(): KnownKey {
  return { spent: 0n, held: 0n, pending: 0n, readAtMs: -Infinity };
}

function newBalance(): KnownBalance {
  return { available: 0n, held: 0n, pending: 0n, readAtMs: -Infinity };
}

/** Evicts the oldest entries without undecided holds. The next lookup or commit restores them. */
function getOrAdd<T extends { pending: NanoUsd }>(map: Map<string, T>, id: string, create: () => T): T {
  const known = map.get(id);
  if (known !== undefined) return known;
  if (map.size >= MAX_ENTRIES) {
    for (const [oldest, { pending }] of map) {
      if (pending !== 0n) continue;
      map.delete(oldest);
      break;
    }
  }
  const added = create();
  map.set(id, added);
  return added;
}
