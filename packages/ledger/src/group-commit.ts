/**
 * Commits all holds and settlements of a replica. All that are pending form one
 * transaction, one in flight at a time. A row that cannot be stored is isolated by
 * splitting its batch. While the database does not respond, holds are refused immediately and settlements go
 * to the spool, from which they are stored after recovery.
 */
import type { HoldRequest, LedgerBatch, LedgerCommit, RequestRecord } from '@tollgate/core/money/ledger';
import { commitWithRetry } from './commit-with-retry.ts';
import { halveBatch } from './halve-batch.ts';
import { createLedgerNotices, type LedgerNotices } from './ledger-notices.ts';
import type { Journal } from './journal.ts';
import type { LedgerLog, LedgerStore } from './ledger-store.ts';
import { finishHold, type HoldOutcome, type PendingHold } from './pending-hold.ts';
import type { Spool } from './spool.ts';
import { bareRecord, describeRecord } from './storable-record.ts';
import { PendingWork } from './pending-work.ts';

const MAX_WAITING_HOLDS = 20_000;
/** Settlements in memory; more go to disk because the database is too slow, or are lost if the disk fails too. */
const MAX_WAITING_SETTLEMENTS = 20_000;
const PROBE_EVERY_MS = 250;
/** Interval of spool batches under load, so that the spool does not wait for idle time. */
const REPLAY_EVERY_MS = 25;
/** Minimum number of stored settlements per log line, except the last. */
const SAY_REPLAYED = 1_000;

export interface GroupCommitOptions {
  store: LedgerStore;
  replicaId: string;
  spool: Spool;
  journal: Journal;
  log: LedgerLog;
  onCommit: (commit: LedgerCommit) => void;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #work = new PendingWork();
  readonly #notices: LedgerNotices;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** When the timer fires. */
  #dueAtMs = 0;
  #isScheduled = false;
  #running: Promise<void> | null = null;
  #probing: Promise<void> | null = null;
  #isInTrouble = false;
  #isClosed = false;
  #replayedAtMs = 0;
  /** Stored from the spool but not logged yet. */
  #replayed = 0;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#notices = createLedgerNotices(options.log);
  }

  /** True while the database does not respond. */
  get isInTrouble(): boolean {
    return this.#isInTrouble;
  }

  get waiting(): number {
    return this.#work.settlements;
  }

  get waitingHolds(): number {
    return this.#work.holds;
  }

  /** Requests a hold; the outcome is reported later, never within this call. */
  hold(request: HoldRequest, onOutcome: (outcome: HoldOutcome) => void, canWait = false): PendingHold {
    const pending: PendingHold = { request, state: 'waiting', onOutcome };
    if (this.#isInTrouble || this.#isClosed || this.#work.holds >= MAX_WAITING_HOLDS) {
      queueMicrotask(() => finishHold(this.#options.log, pending, { ok: false, reason: 'unavailable' }));
      return pending;
    }
    this.#work.addHold(pending);
    if (canWait) this.wake();
    else this.hurry(pending);
    return pending;
  }

  /** The request is now blocked on this hold. */
  hurry(hold: PendingHold): void {
    if (hold.state !== 'waiting') return;
    this.#work.hurry();
    this.wake();
  }

  settle(record: RequestRecord): void {
    const isFull = this.#work.settlements >= MAX_WAITING_SETTLEMENTS;
    const cannotWait = this.#isInTrouble || this.#isClosed || isFull;
    const { spool, journal } = this.#options;
    if (cannotWait && spool.append(record)) return journal.release(record);
    journal.keep(record);
    if (this.#isClosed || (this.#isInTrouble && isFull)) {
      this.#notices.lost.failed({ record: describeRecord(record) });
      return;
    }
    this.#work.addSettlement(record);
    this.wake();
  }

  /** Stores pending work as far as the database accepts it. */
  async flush(): Promise<void> {
    while (this.#running !== null || !(this.#isInTrouble || this.#isClosed || this.#work.isEmpty)) {
      this.#start();
      await this.#running;
    }
  }

  /** Starts a transaction when due; there may be work only in the spool. */
  wake(): void {
    if (this.#running !== null || this.#isScheduled || this.#isInTrouble || this.#isClosed) return;
    const dueAtMs = this.#nextAtMs();
    if (dueAtMs === null || (this.#timer !== null && this.#dueAtMs <= dueAtMs)) return;
    this.#clearTimer();
    const delayMs = dueAtMs - performance.now();
    if (delayMs > 0) {
      this.#dueAtMs = dueAtMs;
      this.#timer = setTimeout(() => this.#start(), delayMs);
      return;
    }
    this.#isScheduled = true;
    // Work of the same turn joins the batch.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  /** When the next transaction is due, by `performance.now()`; null: no work. */
  #nextAtMs(): number | null {
    return this.#work.dueAtMs() ?? (this.#options.spool.hasSealed ? -Infinity : null);
  }

  /** Stores pending work in the database or the spool. No other method may be called afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#clearTimer();
    await this.#running;
    await this.#probing;
    while (!this.#isInTrouble && !this.#work.isEmpty) await this.#run();
    this.#clearTimer();
    for (const record of this.#work.takeAll().settlements) this.settle(record);
  }

  #start(): void {
    if (this.#running !== null || this.#isClosed) return;
    this.#clearTimer();
    this.#running = this.#run().finally(() => {
      this.#running = null;
      const isDue = !this.#isInTrouble && (this.#nextAtMs() ?? Infinity) <= performance.now();
      if (isDue) this.#start();
      else this.wake();
    });
  }

  /** Not a loop: under load it would keep all batches until a full garbage collection, which took 15% of the time. */
  async #run(): Promise<void> {
    const { settlements, holds } = this.#work.takeBatch();
    if (settlements.length + holds.length > 0) await this.#commit(settlements, holds);
    if (!this.#isInTrouble) await this.#replay();
  }

  /** @returns false if the database does not respond */
  async #commit(
    settlements: readonly RequestRecord[],
    holds: readonly PendingHold[],
    { isReplay = false, isRetry = false } = {},
  ): Promise<boolean> {
    for (const hold of holds) hold.state = 'sent';
    const { replicaId } = this.#options;
    const asked = holds.map(({ request }) => request);
    const committed = await this.#send({ replicaId, settlements, holds: asked, isRetry });
    if (committed === 'unavailable') {
      this.#giveUp(isReplay ? [] : settlements, holds);
      return false;
    }
    if (committed === 'rejected') return this.#split(settlements, holds, isReplay);
    this.#noteStored(committed, settlements);
    committed.verdicts.forEach((verdict, at) => {
      const hold = holds[at];
      if (hold !== undefined) finishHold(this.#options.log, hold, verdict);
    });
    return true;
  }

  /** Splits a rejected batch until the invalid row is isolated. */
  async #split(
    settlements: readonly RequestRecord[],
    holds: readonly PendingHold[],
    isReplay: boolean,
  ): Promise<boolean> {
    const size = settlements.length + holds.length;
    if (size === 1) {
      for (const hold of holds) finishHold(this.#options.log, hold, { ok: false, reason: 'unstorable' });
      for (const record of settlements) await this.#settleBare(record);
      return !this.#isInTrouble;
    }
    const [first, second] = halveBatch({ settlements, holds });
    // It may have been committed before the rejection: then some rows exist already.
    const how = { isReplay, isRetry: true };
    if (await this.#commit(first.settlements, first.holds, how))
      return this.#commit(second.settlements, second.holds, how);
    if (!isReplay) this.#strand(second.settlements);
    return this.#refuse(second.holds);
  }

  /** Stores a reduced form of an unstorable settlement, which still releases its hold and is billed. */
  async #settleBare(record: RequestRecord): Promise<void> {
    const { replicaId, spool, journal, log } = this.#options;
    const fields = { record: describeRecord(record) };
    log.error(fields, 'a request cannot be stored as it is: its details are left out');
    spool.reject(record);
    const batch = { replicaId, settlements: [bareRecord(record)], holds: [], isRetry: true };
    const committed = await this.#send(batch);
    if (committed === 'unavailable') return this.#giveUp([record], []);
    if (committed !== 'rejected') return this.#noteStored(committed, [record]);
    log.error(fields, 'a request cannot be stored at all');
    journal.release(record);
  }

  #send(batch: LedgerBatch) {
    return commitWithRetry(this.#options, batch, this.#notices.database.isFailing);
  }

  #noteStored(commit: LedgerCommit, settlements: readonly RequestRecord[]): void {
    this.#notices.database.worked();
    this.#notices.lost.worked();
    for (const record of settlements) this.#options.journal.release(record);
    this.#options.onCommit(commit);
  }

  /** Handles an unresponsive database: refuses pending holds and spools settlements. */
  #giveUp(settlements: readonly RequestRecord[], holds: readonly PendingHold[]): void {
    this.#isInTrouble = true;
    this.#notices.database.failed({ waiting: this.#work.settlements });
    const waiting = this.#work.takeAll();
    this.#strand([...settlements, ...waiting.settlements]);
    this.#refuse([...holds, ...waiting.holds]);
    this.#probeLater();
  }

  #strand(records: readonly RequestRecord[]): void {
    for (const record of records) this.settle(record);
  }

  #refuse(holds: readonly PendingHold[]): false {
    for (const hold of holds) finishHold(this.#options.log, hold, { ok: false, reason: 'unavailable' });
    return false;
  }

  #probeLater(): void {
    if (!this.#isClosed) this.#timer = setTimeout(() => void (this.#probing = this.#probe()), PROBE_EVERY_MS);
  }

  /** Checks if the database, or at least the disk, works again. */
  async #probe(): Promise<void> {
    this.#timer = null;
    const { store, replicaId, spool } = this.#options;
    try {
      await store.commit({ replicaId, settlements: [], holds: [], isRetry: false });
    } catch {
      if (spool.retry()) this.#strand(this.#work.takeAll().settlements);
      return this.#probeLater();
    }
    this.#isInTrouble = false;
    if (this.#isClosed) return;
    spool.seal();
    this.wake();
  }

  /** Stores the spool in parts, so that holds do not wait for all of it. */
  async #replay(): Promise<void> {
    const { spool, log } = this.#options;
    if (this.#work.settlements === 0) spool.seal();
    while (spool.hasSealed) {
      if (!this.#work.isEmpty && performance.now() - this.#replayedAtMs < REPLAY_EVERY_MS) return;
      const records = await spool.read(this.#work.maxFreePerBatch);
      if (records.length > 0 && !(await this.#commit(records, [], { isReplay: true }))) {
        await spool.rewind();
        return;
      }
      this.#replayedAtMs = performance.now();
      this.#replayed += records.length;
      if (this.#replayed < SAY_REPLAYED && spool.hasSealed) continue;
      log.info({ records: this.#replayed }, 'settlements of the spool were stored');
      this.#replayed = 0;
    }
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
