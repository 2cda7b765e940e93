import { createId } from '@tollgate/core/runtime/ids';
import type { HoldRequest, RequestRecord } from '@tollgate/core/money/ledger';
import { GroupCommit } from './group-commit.ts';
import type { HoldOutcome, PendingHold } from './pending-hold.ts';
import { Journal } from './journal.ts';
import { BalanceCache } from './balance-cache.ts';
import type { LedgerLog, LedgerStore } from './ledger-store.ts';
import { HeartbeatMonitor } from './heartbeat-monitor.ts';
import { Spool } from './spool.ts';
import { boundRecord, type UnheldRecord } from './storable-record.ts';

const DEFAULT_MAX_SPOOL_BYTES = 256 * 1024 * 1024;

export interface LedgerOptions {
  store: LedgerStore;
  log: LedgerLog;
  /** Directory for settlements that are not in the database yet, used by this process only. */
  spoolDirectory: string;
  maxSpoolBytes?: number;
  /** For tests. */
  watch?: Partial<{ beatMs: number; deadAfterMs: number }>;
}

export interface LedgerHealth {
  isWritable: boolean;
  /** Settlements in memory that wait for their transaction. */
  waiting: number;
  /** Holds in memory that wait for their transaction. */
  waitingHolds: number;
  spooledBytes: number;
  isSpoolFull: boolean;
  /** False while disk writes fail: a crash would lose the exact cost of recent responses. */
  isJournalWritable: boolean;
}

/** The ledger of one replica: places holds before requests are sent, and settles them afterwards. */
export class Ledger {
  readonly replicaId = createId('rep');
  readonly totals = new BalanceCache();
  readonly #store: LedgerStore;
  readonly #log: LedgerLog;
  readonly #spool: Spool;
  readonly #journal: Journal;
  readonly #commits: GroupCommit;
  readonly #watch: HeartbeatMonitor;

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
    this.#watch = new HeartbeatMonitor({
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
   * Starts heartbeats, takes over files of the previous process, and monitors stale replicas.
   * @throws LedgerStoreError
   */
  async start(): Promise<void> {
    const database = await this.#store.identify();
    this.#spool.setDatabase(database);
    this.#journal.setDatabase(database);
    await this.#watch.start();
    this.adoptFiles();
  }

  /**
   * Takes over the files of others in the directory. This process has locked it, so it need not wait until their heartbeats
   * are stale.
   */
  adoptFiles(): void {
    if (this.#spool.adopt(() => true) > 0) this.#commits.wake();
  }

  /**
   * @param onOutcome called once, never within this call; not called if the hold is cancelled
   * @param canWait true: the request continues meanwhile, so the hold may wait some milliseconds until `hurry`
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

  /** Sends the hold soon, because its request now waits for it. */
  hurry(hold: PendingHold): void {
    this.#commits.hurry(hold);
  }

  /**
   * Settles a request; call exactly once per request. The settlement survives a crash once `whenKept` calls back.
   * @param hold the request's hold, decided or not; null: none
   * @param checkpoint the last checkpoint of the request; null: none
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
   * Records the progress of an in-flight request, to bill it after a crash. Effective once `whenKept` calls back.
   * @param earlier the checkpoint to replace; null: none
   * @returns the checkpoint, for the next one and for the settlement
   */
  checkpoint(record: UnheldRecord, hold: PendingHold | null, earlier: RequestRecord | null): RequestRecord {
    const checkpoint = completeRecord(record, hold);
    if (earlier !== null) this.#journal.replace(earlier, checkpoint);
    this.#journal.keep(checkpoint);
    return checkpoint;
  }

  /**
   * Calls back after the journal has written a settlement or checkpoint: at the end of this event-loop turn, or
   * immediately if nothing is pending. Also calls back if the write fails: then a crash loses the exact cost.
   * Errors of delayed callbacks are logged, others are thrown here. The last byte of a response waits for this.
   */
  whenKept(record: RequestRecord, callback: () => void): void {
    this.#journal.whenKept(record, callback);
  }

  /** False while neither database nor spool accepts records: new responses could not be recorded. */
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

  /** Stores pending work as far as the database accepts it. */
  async flush(): Promise<void> {
    await this.#commits.flush();
  }

  /** Stores pending work and closes the ledger. No other method may be called afterwards. */
  async close(): Promise<void> {
    await this.#watch.stop();
    await this.#commits.close();
    this.#journal.close();
    await this.#spool.close();
    try {
      // With records in the spool, the replica is left to become stale, so that its files are taken over.
      if (!this.#commits.isInTrouble) await this.#store.leave(this.replicaId);
    } catch (error) {
      this.#log.warn({ err: error }, 'the replica could not say that it goes');
    }
    await this.#store.close();
  }

  /** Cancels the hold if it has not been sent yet. */
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

/** True if a checkpoint bills the request like its settlement. */
function isSameBill(settlement: RequestRecord, checkpoint: RequestRecord): boolean {
  return (
    settlement.costNanoUsd === checkpoint.costNanoUsd &&
    settlement.operatorCostNanoUsd === checkpoint.operatorCostNanoUsd &&
    settlement.inputTokens === checkpoint.inputTokens &&
    settlement.outputTokens === checkpoint.outputTokens &&
    settlement.estimated === checkpoint.estimated &&
    // All other kinds of usage are in it.
    settlement.rawUsage === checkpoint.rawUsage &&
    settlement.reportedCostNanoUsd === checkpoint.reportedCostNanoUsd &&
    settlement.priceMismatch === checkpoint.priceMismatch &&
    settlement.status === checkpoint.status &&
    settlement.errorCode === checkpoint.errorCode &&
    settlement.isHeld === checkpoint.isHeld
  );
}
