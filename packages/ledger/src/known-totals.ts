import type { BalanceTotals, KeyTotals, LedgerCommit } from '@tollgate/core/ledger';
import type { NanoUsd } from '@tollgate/core/money';

const MAX_ENTRIES = 200_000;

/** What this replica last heard of a key, and what it has asked for since. In nano-dollars. */
export interface KnownKey {
  spent: NanoUsd;
  held: NanoUsd;
  /** Asked for here, not yet decided. */
  pending: NanoUsd;
}

/** The same of an account's balance. */
export interface KnownBalance {
  available: NanoUsd;
  held: NanoUsd;
  pending: NanoUsd;
}

/** What is left for a request, as far as is known here. null: no limit. */
export interface Room {
  /** Beside what is settled. */
  settled: NanoUsd | null;
  /** Beside what is settled, held, and asked for. */
  free: NanoUsd | null;
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
    return getOrAdd(this.#keys, keyId, () => ({ spent: 0n, held: 0n, pending: 0n }));
  }

  balance(accountId: string): KnownBalance {
    return getOrAdd(this.#balances, accountId, () => ({ available: 0n, held: 0n, pending: 0n }));
  }

  noteKey({ keyId, spentNanoUsd, heldNanoUsd }: KeyTotals): void {
    const known = this.key(keyId);
    known.spent = spentNanoUsd;
    known.held = heldNanoUsd;
  }

  noteBalance({ accountId, availableNanoUsd, heldNanoUsd }: BalanceTotals): void {
    const known = this.balance(accountId);
    known.available = availableNanoUsd;
    known.held = heldNanoUsd;
  }

  noteCommit({ keys, balances }: Pick<LedgerCommit, 'keys' | 'balances'>): void {
    for (const key of keys) this.noteKey(key);
    for (const balance of balances) this.noteBalance(balance);
  }
}

/**
 * What is left for a request of a key. The other replicas are taken to have asked for as much as this one.
 * @param cap the key's budget; null: none
 * @param balance null: the account pays nothing in advance
 */
export function roomOf(key: KnownKey, cap: NanoUsd | null, balance: KnownBalance | null, replicas = 1): Room {
  const sharers = BigInt(replicas);
  const room: Room = { settled: null, free: null };
  if (cap !== null) {
    room.settled = cap - key.spent;
    room.free = room.settled - key.held - key.pending * sharers;
  }
  if (balance !== null) {
    const free = balance.available - balance.held - balance.pending * sharers;
    room.settled =
      room.settled === null || balance.available < room.settled ? balance.available : room.settled;
    room.free = room.free === null || free < room.free ? free : room.free;
  }
  return room;
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
