import { createId } from '@tollgate/core/runtime/ids';
import type { HoldRequest, RequestRecord } from '@tollgate/core/money/ledger';
import { GroupCommit } from './group-commit.ts';
import type { HoldOutcome, PendingHold } from './pending-hold.ts';
import { Journal } from './journal.ts';
import { KnownTotals } from './known-totals.ts';
import type { LedgerLog, LedgerStore } from './ledger-store.ts';
import { LossWatch } from './loss-watch.ts';
import { Spool } from './spool.ts';
import { boundRecord, type UnheldRecord } from './storable-record.ts';

const DEFAULT_MAX_SPOOL_BYTES = 256 * 1024 * 1024;

export interface LedgerOptions {
  store: LedgerStore;
  log: LedgerLog;
  /** Where settlements are kept that are not in the database yet; no other process may use it. */
  spoolDirectory: string;
  maxSpoolBytes?: number;
  /** For tests. */
  watch?: Partial<{ beatMs: number; deadAfterMs: number }>;
}

export interface LedgerHealth {
  isWritable: boolean;
  /** Settlements in memory that wait for their transaction. */
  waiting: number;
  /** Holds that do. */
  waitingHolds: number;
  spooledBytes: number;
  isSpoolFull: boolean;
  /** False while the disk takes nothing: a crash would lose the exact cost of what was just answered. */
  isJournalWritable: boolean;
}

/** The money of one replica: it holds before a request costs anything, and settles when it has. */
export class Ledger {
  readonly replicaId = createId('rep');
  readonly totals = new KnownTotals();
  readonly #store: LedgerStore;
  readonly #log: LedgerLog;
  readonly #spool: Spool;
  readonly #journal: Journal;
  readonly #commits: GroupCommit;
  readonly #watch: LossWatch;

  constructor({ store, log, spoolDirectory, maxSpoolBytes, watch }: LedgerOptions) {
    this.#store = store;
    this.#log = log;
    const { replicaId } = this;
    this.#spool = new Spool({
      directory: spoolDirectory,
      replicaId,
      maxBytes: maxSpoolBytes ?? DEFAULT_MAX_SPOOL_BYTES,
      log,
    });
    this.#journal = new Journal({ directory: spoolDirectory, replicaId, log });
    this.#commits = new GroupCommit({
      store,
      replicaId,
      spool: this.#spool,
      journal: this.#journal,
      log,
      onCommit: (commit) => this.totals.noteCommit(commit),
    });
    this.#watch = new LossWatch({
      store,
      replicaId,
      log,
      settle: (record) => this.#commits.settle(record),
      onReplicas: (replicas) => (this.totals.replicas = replicas),
      adopt: (isAlive) => {
        if (this.#spool.adopt(isAlive) > 0) this.#commits.wake();
      },
      ...watch,
    });
  }

  /**
   * Starts heartbeats, takes over what the process before has left in the directory, and looks after stale replicas.
   * @throws LedgerStoreError
   */
  async start(): Promise<void> {
    const database = await this.#store.identify();
    this.#spool.setDatabase(database);
    this.#journal.setDatabase(database);
    await this.#watch.start();
    // The directory is this process's alone: what is in it needs no proof of death by a missing heartbeat.
    if (this.#spool.adopt(() => true) > 0) this.#commits.wake();
  }

  /**
   * @param onOutcome told once, never within this call; not at all where the hold is cancelled
   * @param canWait true: the request goes ahead meanwhile, so that some milliseconds more delay nobody before `hurry`
   */
  hold(request: HoldRequest, onOutcome: (outcome: HoldOutcome) => void, canWait = false): PendingHold {
    const key = this.totals.key(request.keyId);
    const balance = request.chargesBalance ? this.totals.balance(request.accountId) : null;
    key.pending += request.wantNanoUsd;
    if (balance !== null) balance.pending += request.wantNanoUsd;
    const hear = (outcome: HoldOutcome) => {
      key.pending -= request.wantNanoUsd;
      if (balance !== null) balance.pending -= request.wantNanoUsd;
      onOutcome(outcome);
    };
    return this.#commits.hold(request, hear, canWait);
  }

  /** The request has come to where it waits for this hold. */
  hurry(hold: PendingHold): void {
    this.#commits.hurry(hold);
  }

  /**
   * The request is over: exactly once for each. The settlement survives the end of the process from `whenKept` on.
   * @param hold what was asked for it, decided or not; null: nothing
   * @param checkpoint the last one of the request; null: none
   * @returns the settlement, for `whenKept`
   */
  settle(
    record: UnheldRecord,
    hold: PendingHold | null,
    checkpoint: RequestRecord | null = null,
  ): RequestRecord {
    if (hold !== null && hold.state === 'waiting') this.#cancel(hold);
    const settlement = completeRecord(record, hold);
    if (checkpoint !== null) {
      if (isSameBill(settlement, checkpoint)) this.#journal.keepAs(settlement, checkpoint);
      else this.#journal.replace(checkpoint, settlement);
    }
    this.#commits.settle(settlement);
    return settlement;
  }

  /**
   * Keeps what is known of a request that is not over, so that it is billed if the process dies: from `whenKept` on.
   * @param earlier the checkpoint that this one replaces; null: there was none
   * @returns the checkpoint, for the next one and for the settlement
   */
  checkpoint(record: UnheldRecord, hold: PendingHold | null, earlier: RequestRecord | null): RequestRecord {
    const checkpoint = completeRecord(record, hold);
    if (earlier !== null) this.#journal.replace(earlier, checkpoint);
    this.#journal.keep(checkpoint);
    return checkpoint;
  }

  /**
   * Calls back after the journal has written a settlement or a checkpoint: at the end of this turn of the event loop, or
   * immediately if it does not wait to be written. If the disk refuses, it calls back too: then a crash loses the exact cost.
   * An error of a callback that waited is logged, one that did not is thrown here. The last byte of an answer waits for this.
   */
  whenKept(record: RequestRecord, callback: () => void): void {
    this.#journal.whenKept(record, callback);
  }

  /** False while neither the database nor the spool takes anything: what is answered now could not be recorded. */
  get canRecord(): boolean {
    return !this.#commits.isInTrouble || !(this.#spool.isFull || this.#spool.isFailing);
  }

  get health(): LedgerHealth {
    return {
      isWritable: !this.#commits.isInTrouble,
      waiting: this.#commits.waiting,
      waitingHolds: this.#commits.waitingHolds,
      spooledBytes: this.#spool.bytes,
      isSpoolFull: this.#spool.isFull,
      isJournalWritable: this.#journal.isWritable,
    };
  }

  /** Stores what waits now, as far as the database takes it. */
  async flush(): Promise<void> {
    await this.#commits.flush();
  }

  /** Stores what waits. Nothing may be asked of it any more. */
  async close(): Promise<void> {
    await this.#watch.stop();
    await this.#commits.close();
    this.#journal.close();
    await this.#spool.close();
    try {
      // Who leaves with something in the spool is found dead, and what it left is adopted.
      if (!this.#commits.isInTrouble) await this.#store.leave(this.replicaId);
    } catch (error) {
      this.#log.warn({ err: error }, 'the replica could not say that it goes');
    }
    await this.#store.close();
  }

  /** A hold that has not been sent yet is never sent. */
  #cancel(hold: PendingHold): void {
    const { request } = hold;
    hold.state = 'cancelled';
    this.totals.key(request.keyId).pending -= request.wantNanoUsd;
    if (request.chargesBalance) this.totals.balance(request.accountId).pending -= request.wantNanoUsd;
  }
}

function completeRecord(record: UnheldRecord, hold: PendingHold | null): RequestRecord {
  const isHeld = hold !== null && hold.state !== 'cancelled';
  return boundRecord(record, { isHeld, recovered: false });
}

/** True if a checkpoint bills the request as its settlement does. */
function isSameBill(settlement: RequestRecord, checkpoint: RequestRecord): boolean {
  return (
    settlement.costNanoUsd === checkpoint.costNanoUsd &&
    settlement.operatorCostNanoUsd === checkpoint.operatorCostNanoUsd &&
    settlement.inputTokens === checkpoint.inputTokens &&
    settlement.outputTokens === checkpoint.outputTokens &&
    settlement.estimated === checkpoint.estimated &&
    settlement.status === checkpoint.status &&
    settlement.errorCode === checkpoint.errorCode &&
    settlement.isHeld === checkpoint.isHeld
  );
}
