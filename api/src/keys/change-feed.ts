import { randomUUID } from 'node:crypto';
import type { Clock } from '@tollgate/core/clock';
import type { Database } from '@tollgate/db/client';
import { listenForChanges, sendEcho, type Change } from '@tollgate/db/queries/changes';
import type { Logger } from 'pino';

const ECHO_EVERY_MS = 300;
const DEAF_AFTER_MS = 1_000;

export interface ChangeFeedOptions {
  db: Database;
  clock: Clock;
  log: Logger;
  onChange: (change: Change) => void;
  /** Changes may have been missed: forget what is cached. */
  onGap: () => void;
}

/**
 * Hears every change that the database tells. A replica also tells itself an echo, again and again: while none
 * comes back it counts as deaf, whatever the socket says, and caches must not be trusted for long.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #replicaId = randomUUID();
  #lastEchoMs = -Infinity;
  #wasHearing = false;
  #isEchoing = false;
  #timer: ReturnType<typeof setInterval> | null = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Resolves once the feed is connected for the first time. */
  async start(): Promise<void> {
    this.#unlisten = await listenForChanges(this.#options.db, {
      onChange: (change) => this.#hear(change),
      onConnected: () => this.#options.onGap(),
    });
    this.#timer = setInterval(() => void this.#echo(), ECHO_EVERY_MS);
    await this.#echo();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#unlisten?.();
  }

  isHearing(): boolean {
    return this.#options.clock.nowMs() - this.#lastEchoMs < DEAF_AFTER_MS;
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
    if (this.#wasHearing && !this.isHearing()) {
      this.#wasHearing = false;
      this.#options.log.warn('changes are not heard at the moment: keys are read again every second');
    }
    if (this.#isEchoing) return;
    this.#isEchoing = true;
    try {
      await sendEcho(this.#options.db, this.#replicaId);
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the echo could not be sent');
    } finally {
      this.#isEchoing = false;
    }
  }
}
