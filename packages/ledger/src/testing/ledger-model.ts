/**
 * A simple reference model of the ledger: processes one record at a time in memory and computes
 * all totals from records. Tests compare the real ledger with it.
 */
import type { HoldRequest, HoldVerdict, RequestRecord } from '@tollgate/core/money/ledger';
import type { NanoUsd } from '@tollgate/core/money/money';

export interface ModelKey {
  id: string;
  cap: NanoUsd | null;
  isDeleted: boolean;
  isRevoked: boolean;
}

export interface ModelRow {
  id: string;
  keyId: string;
  /** null: it never had a hold. */
  hold: HoldRequest | null;
  replicaId: string | null;
  granted: NanoUsd;
  state: 'held' | 'guessed' | 'settled';
  cost: NanoUsd;
  operatorCost: NanoUsd;
  isError: boolean;
}

/** One account with its keys. */
export class LedgerModel {
  readonly accountId: string;
  readonly keys: readonly ModelKey[];
  readonly rows = new Map<string, ModelRow>();
  isPrepaid = true;
  /** Top-ups minus refunds. */
  paidIn = 0n;
  /** True: a refund exceeded the available balance. */
  isOverdrawn = false;
  /** Total of posted usage entries. */
  posted = 0n;

  constructor(accountId: string, keys: readonly ModelKey[]) {
    this.accountId = accountId;
    this.keys = keys;
  }

  get charged(): NanoUsd {
    return this.#sum((row) => (row.state !== 'held' && row.hold?.chargesBalance === true ? row.cost : 0n));
  }

  get available(): NanoUsd {
    return this.paidIn - this.charged;
  }

  get walletHeld(): NanoUsd {
    return this.#sum((row) => (row.state === 'held' && row.hold?.chargesBalance === true ? row.granted : 0n));
  }

  getSpent(keyId: string): NanoUsd {
    return this.#sum((row) => (row.keyId === keyId && row.state !== 'held' ? row.cost : 0n));
  }

  getHeld(keyId: string): NanoUsd {
    return this.#sum((row) => (row.keyId === keyId && row.state === 'held' ? row.granted : 0n));
  }

  /** Decides on a hold and applies it. */
  admit(hold: HoldRequest, replicaId: string): HoldVerdict {
    const key = this.getKey(hold.keyId);
    if (key.isDeleted) return { ok: false, reason: 'gone', leftNanoUsd: 0n };
    const left: NanoUsd[] = [];
    const free: NanoUsd[] = [];
    const { keyCapNanoUsd: cap, minNanoUsd, wantNanoUsd, keyMinNanoUsd } = hold;
    const ofKey = cap === null ? null : cap - this.getSpent(key.id);
    if (ofKey !== null) {
      left.push(ofKey);
      free.push(ofKey - this.getHeld(key.id));
    }
    if (hold.chargesBalance) {
      left.push(this.available);
      free.push(this.available - this.walletHeld);
    }
    const settled = smallest(left) ?? wantNanoUsd;
    const granted = smallest([wantNanoUsd, ...free]) ?? wantNanoUsd;
    const isEnough = granted >= minNanoUsd && (granted >= getSoftTurns(hold) || granted >= settled);
    if (isEnough && this.#coversKey(hold, ofKey)) {
      const row = { id: hold.id, keyId: key.id, hold, replicaId, granted, operatorCost: 0n, isError: false };
      const cost = smallest([hold.inputCostNanoUsd, granted]) ?? 0n;
      this.rows.set(hold.id, { ...row, state: 'held', cost });
      return { ok: true, grantedNanoUsd: granted };
    }
    if (ofKey !== null && ofKey < keyMinNanoUsd)
      return { ok: false, reason: 'budget_exceeded', leftNanoUsd: ofKey };
    if (hold.chargesBalance && this.available < minNanoUsd)
      return { ok: false, reason: 'insufficient_balance', leftNanoUsd: this.available };
    return { ok: false, reason: 'reserved', leftNanoUsd: settled };
  }

  settle(record: RequestRecord): void {
    const row = this.rows.get(record.id);
    const isError = record.errorCode !== null && record.errorCode !== 'client_gone';
    const { costNanoUsd, operatorCostNanoUsd, keyId, id } = record;
    if (row === undefined) {
      const bare = { id, keyId, hold: null, replicaId: null, granted: 0n, isError };
      this.rows.set(id, { ...bare, state: 'settled', cost: costNanoUsd, operatorCost: operatorCostNanoUsd });
      return;
    }
    if (row.state === 'settled' || (row.state === 'guessed' && record.recovered)) return;
    const bill = smallest([costNanoUsd, row.granted]) ?? 0n;
    const billed = row.state === 'held' ? bill : row.cost + this.#raise(row, bill - row.cost);
    row.state = record.recovered ? 'guessed' : 'settled';
    row.cost = billed;
    row.operatorCost = operatorCostNanoUsd + costNanoUsd - billed;
    row.isError = isError;
  }

  getKey(keyId: string): ModelKey {
    const key = this.keys.find(({ id }) => id === keyId);
    if (key === undefined) throw new Error(`The model has no key ${keyId}`);
    return key;
  }

  /** @param left of the key's budget; null: it has none */
  #coversKey(hold: HoldRequest, left: NanoUsd | null): boolean {
    if (left === null) return true;
    const free = left - this.getHeld(hold.keyId);
    return free >= hold.keyMinNanoUsd && (free >= getSoftTurns(hold) || free >= left);
  }

  /** Above the estimate, bills only funds that are still available. */
  #raise({ keyId, hold }: ModelRow, wanted: NanoUsd): NanoUsd {
    if (wanted <= 0n) return wanted;
    const key = this.getKey(keyId);
    const free = [wanted];
    if (key.isDeleted) free.push(0n);
    if (key.cap !== null) free.push(key.cap - this.getSpent(keyId) - this.getHeld(keyId));
    if (hold?.chargesBalance === true) free.push(this.available - this.walletHeld);
    const raise = smallest(free) ?? 0n;
    return raise > 0n ? raise : 0n;
  }

  #sum(read: (row: ModelRow) => NanoUsd): NanoUsd {
    let sum = 0n;
    for (const row of this.rows.values()) sum += read(row);
    return sum;
  }
}

function smallest(amounts: readonly NanoUsd[]): NanoUsd | null {
  let least: NanoUsd | null = null;
  for (const amount of amounts) if (least === null || amount < least) least = amount;
  return least;
}

/** The output that holds of others must leave, with the input of all turns. */
function getSoftTurns({ wantNanoUsd, keyMinNanoUsd, softNanoUsd, minNanoUsd }: HoldRequest): NanoUsd {
  const soft = keyMinNanoUsd + softNanoUsd - minNanoUsd;
  return soft < wantNanoUsd ? soft : wantNanoUsd;
}
