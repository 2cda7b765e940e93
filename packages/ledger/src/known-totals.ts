import type { BalanceTotals, KeyTotals, LedgerCommit } from '@tollgate/core/money/ledger';
import type { NanoUsd } from '@tollgate/core/money/money';

const MAX_ENTRIES = 200_000;

/**
 * A request may be sent before its hold is granted while this many times its worst case, and that of all others sent like
 * it, is left for each replica. What the others have asked for since the last commit here is unknown: a tenth each, asked
 * for by all of them at the same time, still fits, and a call whose hold is refused is discarded at the operator's cost.
 */
const PLENTY_FACTOR = 10n;
/** Older totals are not trusted for more than one request at a time: what other replicas held since may be anything. */
const FRESH_MS = 1_000;

/** What this replica has asked for in addition to the totals that it knows. */
interface Known {
  /** Asked for here, not yet decided, in nano-dollars. */
  pending: NanoUsd;
  /** When the totals were read, in milliseconds of `performance.now()`. */
  readAtMs: number;
}

/** The totals of a key that this replica last read, in nano-dollars: spent and held by the requests of all replicas. */
export interface KnownKey extends Known {
  spent: NanoUsd;
  held: NanoUsd;
}

/** The same of an account's balance. */
export interface KnownBalance extends Known {
  available: NanoUsd;
  held: NanoUsd;
}

/** A request that may be sent before its hold is granted. */
export interface EarlyRequest {
  keyId: string;
  accountId: string;
  /** The key's budget; null: none. */
  keyCapNanoUsd: NanoUsd | null;
  /** False: the account pays nothing in advance. */
  chargesBalance: boolean;
  /** Its worst case. */
  wantNanoUsd: NanoUsd;
}

/**
 * The totals that commits and look-ups have told of late. They are good for deciding what to ask first, never for
 * admitting: that is decided where they are kept.
 */
export class KnownTotals {
  readonly #keys = new Map<string, KnownKey>();
  readonly #balances = new Map<string, KnownBalance>();
  /** Replicas that share the database, this one included: each asks for holds that the others hear of a moment later. */
  replicas = 1;

  /** The one record of the key; it stays the same object while it is known. */
  key(keyId: string): KnownKey {
    return getOrAdd(this.#keys, keyId, () => ({ spent: 0n, held: 0n, pending: 0n, readAtMs: -Infinity }));
  }

  balance(accountId: string): KnownBalance {
    return getOrAdd(this.#balances, accountId, () => ({
      available: 0n,
      held: 0n,
      pending: 0n,
      readAtMs: -Infinity,
    }));
  }

  /** True if so much is left that a request can be sent to its provider before its hold is granted. */
  canSendEarly({ keyId, accountId, keyCapNanoUsd, chargesBalance, wantNanoUsd }: EarlyRequest): boolean {
    if (keyCapNanoUsd !== null) {
      const key = this.key(keyId);
      if (!this.#isPlenty(key, keyCapNanoUsd - key.spent - key.held, wantNanoUsd)) return false;
    }
    if (!chargesBalance) return true;
    const balance = this.balance(accountId);
    return this.#isPlenty(balance, balance.available - balance.held, wantNanoUsd);
  }

  /** @param free what neither is spent nor held by any replica, as of the last reading */
  #isPlenty({ pending, readAtMs }: Known, free: NanoUsd, want: NanoUsd): boolean {
    // One replica knows everything that was asked for.
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

/** The oldest for which nothing is asked are forgotten: they are told again by the next look-up or commit. */
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
