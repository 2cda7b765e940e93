import type { RequestRecord } from '@tollgate/core/money/ledger';
import { FailureNotice } from './failure-notice.ts';
import type { LedgerLog, LedgerStore } from './ledger-store.ts';

const BEAT_MS = 5_000;
/** Maximum delay until other replicas notice a new one. */
const COUNT_EVERY_MS = 1_000;
/** A replica is stale after this time without a heartbeat: four intervals. */
const DEAD_AFTER_MS = 20_000;
/** Successful heartbeats in a row before others count as stale: after an outage, they may still be reconnecting. */
const BEATS_BEFORE_JUDGING = 3;
/** Maximum orphaned holds per check. Thousands must be settled within a minute. */
const LOST_BATCH = 5_000;
/** Checks after which remaining holds are settled again. */
const LOOKS_BEFORE_AGAIN = 12;

export interface HeartbeatMonitorOptions {
  store: LedgerStore;
  replicaId: string;
  log: LedgerLog;
  settle: (record: RequestRecord) => void;
  /** Called with the number of live replicas, including this one. */
  onReplicas: (replicas: number) => void;
  adopt: (isAlive: (replicaId: string) => boolean) => void;
  beatMs?: number;
  deadAfterMs?: number;
}

/** Sends heartbeats, and settles orphaned holds of stale replicas. */
export class HeartbeatMonitor {
  readonly #options: HeartbeatMonitorOptions;
  readonly #deadAfterMs: number;
  readonly #notice: FailureNotice;
  #timer: ReturnType<typeof setInterval> | null = null;
  #countTimer: ReturnType<typeof setInterval> | null = null;
  #counting: Promise<void> | null = null;
  #running: Promise<void> | null = null;
  #beatsInRow = 0;
  #lastBeatAtMs = 0;
  /** Requests whose settlement was sent and may not be in the database yet. */
  #settledIds = new Set<string>();
  #looks = 0;

  constructor(options: HeartbeatMonitorOptions) {
    this.#options = options;
    this.#deadAfterMs = options.deadAfterMs ?? DEAD_AFTER_MS;
    this.#notice = new FailureNotice(options.log, {
      failing: 'heartbeats of this replica are not stored: other replicas will treat it as stale',
      working: 'heartbeats of this replica are stored again',
    });
  }

  async start(): Promise<void> {
    await this.#options.store.beat(this.#options.replicaId);
    await this.#countReplicas();
    this.#countTimer = setInterval(() => {
      this.#counting ??= this.#countReplicas().finally(() => (this.#counting = null));
    }, COUNT_EVERY_MS);
    this.#timer = setInterval(() => {
      // One at a time, so that a slow database does not get more queries.
      this.#running ??= this.#beat().finally(() => (this.#running = null));
    }, this.#options.beatMs ?? BEAT_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#countTimer !== null) clearInterval(this.#countTimer);
    this.#timer = null;
    this.#countTimer = null;
    await this.#counting;
    await this.#running;
  }

  async #beat(): Promise<void> {
    const { store, replicaId } = this.#options;
    try {
      await store.beat(replicaId);
      this.#notice.worked();
      this.#countBeat();
      if (this.#beatsInRow >= BEATS_BEFORE_JUDGING) await this.#settleLost();
    } catch (error) {
      this.#beatsInRow = 0;
      this.#notice.failed({ err: error });
    }
  }

  /** A count that is temporarily too low costs at most some discarded calls. */
  async #countReplicas(): Promise<void> {
    const { store, replicaId, onReplicas } = this.#options;
    try {
      const alive = new Set(await store.listReplicas(this.#deadAfterMs));
      onReplicas(alive.add(replicaId).size);
    } catch {
      // Heartbeats fail too and are logged.
    }
  }

  /** After a freeze, heartbeats are missing without an error, possibly for all replicas of the machine. */
  #countBeat(): void {
    const nowMs = Date.now();
    const wasAway = Math.abs(nowMs - this.#lastBeatAtMs) > this.#deadAfterMs / 2;
    this.#beatsInRow = wasAway ? 1 : this.#beatsInRow + 1;
    this.#lastBeatAtMs = nowMs;
  }

  async #settleLost(): Promise<void> {
    const { store, log, settle, adopt } = this.#options;
    this.#looks += 1;
    if (this.#looks % LOOKS_BEFORE_AGAIN === 0) this.#settledIds.clear();
    const lost = await store.listLostHolds(this.#deadAfterMs, LOST_BATCH);
    const fresh = lost.filter(({ id }) => !this.#settledIds.has(id));
    for (const record of fresh) settle(record);
    this.#settledIds = new Set(lost.map(({ id }) => id));
    if (fresh.length > 0)
      log.warn({ requests: fresh.length }, 'what a dead replica held is settled by estimate');
    const alive = new Set(await store.forgetReplicas(this.#deadAfterMs));
    adopt((id) => alive.has(id));
  }
}
