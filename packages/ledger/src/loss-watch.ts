import type { RequestRecord } from '@tollgate/core/money/ledger';
import { FailureNotice } from './failure-notice.ts';
import type { LedgerLog, LedgerStore } from './ledger-store.ts';

const BEAT_MS = 5_000;
/** A replica that has just started is allowed for within this. */
const COUNT_EVERY_MS = 1_000;
/** A replica that has not been heard of for so long is dead: four beats. */
const DEAD_AFTER_MS = 20_000;
/** Who has just got the database back cannot know who else is about to: so many beats must have succeeded in a row. */
const BEATS_BEFORE_JUDGING = 3;
/** Of one look; what thousands of streams held must be settled within the minute. */
const LOST_BATCH = 5_000;
/** So many looks later, what is still held is settled once more. */
const LOOKS_BEFORE_AGAIN = 12;

export interface LossWatchOptions {
  store: LedgerStore;
  replicaId: string;
  log: LedgerLog;
  settle: (record: RequestRecord) => void;
  /** Called with the number of replicas that send heartbeats, this one included. */
  onReplicas: (replicas: number) => void;
  adopt: (isAlive: (replicaId: string) => boolean) => void;
  beatMs?: number;
  deadAfterMs?: number;
}

/** Says again and again that this replica lives, and settles what those hold that do not say so any more. */
export class LossWatch {
  readonly #options: LossWatchOptions;
  readonly #deadAfterMs: number;
  readonly #notice: FailureNotice;
  #timer: ReturnType<typeof setInterval> | null = null;
  #countTimer: ReturnType<typeof setInterval> | null = null;
  #counting: Promise<void> | null = null;
  #running: Promise<void> | null = null;
  #beatsInRow = 0;
  #lastBeatAtMs = 0;
  /** Of which it was told that it ended, and the database may not have heard yet. */
  #told = new Set<string>();
  #looks = 0;

  constructor(options: LossWatchOptions) {
    this.#options = options;
    this.#deadAfterMs = options.deadAfterMs ?? DEAD_AFTER_MS;
    this.#notice = new FailureNotice(options.log, {
      failing: 'heartbeats of this replica are not stored: the others will take it for stale',
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
      // One at a time: a slow database is not asked more often.
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

  /** Fewer than there are, for a moment, costs discarded calls at most: nothing depends on it being right. */
  async #countReplicas(): Promise<void> {
    const { store, replicaId, onReplicas } = this.#options;
    try {
      const alive = new Set(await store.listReplicas(this.#deadAfterMs));
      onReplicas(alive.add(replicaId).size);
    } catch {
      // Heartbeats fail as well then, and are logged.
    }
  }

  /** A machine that was frozen has missed its beats without an error, and so may all replicas on it. */
  #countBeat(): void {
    const nowMs = Date.now();
    const wasAway = Math.abs(nowMs - this.#lastBeatAtMs) > this.#deadAfterMs / 2;
    this.#beatsInRow = wasAway ? 1 : this.#beatsInRow + 1;
    this.#lastBeatAtMs = nowMs;
  }

  async #settleLost(): Promise<void> {
    const { store, log, settle, adopt } = this.#options;
    this.#looks += 1;
    if (this.#looks % LOOKS_BEFORE_AGAIN === 0) this.#told.clear();
    const lost = await store.listLostHolds(this.#deadAfterMs, LOST_BATCH);
    const fresh = lost.filter(({ id }) => !this.#told.has(id));
    for (const record of fresh) settle(record);
    this.#told = new Set(lost.map(({ id }) => id));
    if (fresh.length > 0)
      log.warn({ requests: fresh.length }, 'what a dead replica held is settled by estimate');
    const alive = new Set(await store.forgetReplicas(this.#deadAfterMs));
    adopt((id) => alive.has(id));
  }
}
