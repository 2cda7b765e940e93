import { randomUUID } from 'node:crypto';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { Reply } from '@tollgate/core/runtime/replica-asks';
import type { Database } from './client.ts';
import { listenForChanges, sendEcho, type Change } from './queries/catalogue/changes.ts';

/** How closely a process watches whether it still hears. */
export interface ChangeFeedPace {
  echoEveryMs: number;
  silentAfterMs: number;
  /** A connection without an echo for so long is replaced. */
  reconnectAfterMs: number;
}

/** For caches that must be true within a second. */
const CLOSE_PACE: ChangeFeedPace = { echoEveryMs: 300, silentAfterMs: 1_000, reconnectAfterMs: 3_000 };

/** The logger methods that the feed calls. */
interface FeedLog {
  debug(detail: object, message: string): void;
  warn(message: string): void;
}

export interface ChangeFeedOptions {
  db: Database;
  clock: Clock;
  log: FeedLog;
  pace?: ChangeFeedPace;
  onChange: (change: Change) => void;
  /** Changes may have been missed: clear the caches. */
  onGap: () => void;
  /** The feed receives nothing at the moment: read the database instead. Called repeatedly. */
  onDeaf: () => void;
  /** Receives what other processes answer to this one. */
  onReply?: ((reply: Reply) => void) | undefined;
}

/**
 * Receives every change that the database announces. A replica also sends itself an echo at intervals: while none
 * arrives it counts as disconnected, whatever the socket says, and caches must not be trusted for long.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #pace: ChangeFeedPace;
  readonly #replicaId = randomUUID();
  #lastEchoMs = -Infinity;
  #connectingSinceMs = -Infinity;
  #wasHearing = false;
  #echoingSinceMs = -Infinity;
  #timer: ReturnType<typeof setInterval> | null = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#pace = options.pace ?? CLOSE_PACE;
  }

  /** Resolves once the feed is connected for the first time. @throws if the database cannot be reached */
  async start(): Promise<void> {
    await this.#connect();
    this.#timer = setInterval(() => this.#tick(), this.#pace.echoEveryMs);
    await this.#echo();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#unlisten?.();
  }

  isHearing(): boolean {
    return this.#options.clock.nowMs() - this.#lastEchoMs < this.#pace.silentAfterMs;
  }

  #tick(): void {
    void this.#echo();
    if (this.isHearing() || !this.#hasTried()) return;
    if (this.#wasHearing) {
      this.#wasHearing = false;
      this.#options.log.warn('no change notifications from the database');
    }
    this.#options.onDeaf();
    const nowMs = this.#options.clock.nowMs();
    if (nowMs - Math.max(this.#lastEchoMs, this.#connectingSinceMs) >= this.#pace.reconnectAfterMs)
      void this.#reconnect();
  }

  /** False at first, when no echo can have arrived yet. */
  #hasTried(): boolean {
    return this.#options.clock.nowMs() - this.#connectingSinceMs >= this.#pace.silentAfterMs;
  }

  async #connect(): Promise<void> {
    this.#connectingSinceMs = this.#options.clock.nowMs();
    this.#unlisten = await listenForChanges(this.#options.db, {
      onChange: (change) => this.#hear(change),
      onConnected: () => this.#options.onGap(),
      onReply: this.#options.onReply,
    });
  }

  async #reconnect(): Promise<void> {
    this.#connectingSinceMs = this.#options.clock.nowMs();
    const unlisten = this.#unlisten;
    this.#unlisten = null;
    try {
      await Promise.all([unlisten?.(), this.#connect()]);
      // Stopped meanwhile: this connection has no owner any more.
      if (this.#timer === null) await this.stop();
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the change feed could not be connected');
    }
  }

  #hear(change: Change): void {
    if (change.kind !== 'echo') {
      this.#options.onChange(change);
      return;
    }
    if (change.replicaId !== this.#replicaId) return;
    this.#lastEchoMs = this.#options.clock.nowMs();
    if (this.#wasHearing) return;
    this.#wasHearing = true;
    this.#options.onGap();
  }

  async #echo(): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    // One at a time, unless it went out over a connection that never answers.
    if (nowMs - this.#echoingSinceMs < this.#pace.reconnectAfterMs) return;
    this.#echoingSinceMs = nowMs;
    try {
      await sendEcho(this.#options.db, this.#replicaId);
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the echo could not be sent');
    } finally {
      if (this.#echoingSinceMs === nowMs) this.#echoingSinceMs = -Infinity;
    }
  }
}
