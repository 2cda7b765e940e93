import type { Database } from '@tollgate/db/client';
import { recordRequests, type RequestRecord } from '@tollgate/db/queries/request-log';
import type { Logger } from 'pino';
import type { KeySpend } from '../keys/key-spend.ts';

const BATCH_ROWS = 2_000;
/** From the first waiting record to its write: records that come meanwhile go with it. */
const GATHER_MS = 100;
const RETRY_MS = 500;
/** At most so many records wait while the database is away. */
const MAX_WAITING = 200_000;

interface Waiting {
  record: RequestRecord;
  spend: KeySpend;
}

/** Writes the records of finished requests in batches, off the hot path: one batch at a time, no timer when idle. */
export class RequestRecorder {
  readonly #db: Database;
  readonly #log: Logger;
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #flushing: Promise<void> | null = null;
  #lost = 0;

  constructor(options: { db: Database; log: Logger }) {
    this.#db = options.db;
    this.#log = options.log;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(record: RequestRecord, spend: KeySpend): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#lost += 1;
      if (this.#lost % 1_000 === 1)
        this.#log.error({ lost: this.#lost }, 'too many requests wait to be recorded');
      return;
    }
    this.#waiting.push({ record, spend });
    spend.addPending(record.costNanoUsd);
    if (this.#timer === null && this.#flushing === null) this.#flushIn(GATHER_MS);
  }

  /** Writes everything that waits. @throws where the database does not take it */
  async drain(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#flushing;
    while (this.#waiting.length > 0) await this.#writeBatch();
  }

  #flushIn(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flushing = this.#flush().finally(() => (this.#flushing = null));
    }, delayMs);
  }

  async #flush(): Promise<void> {
    try {
      await this.#writeBatch();
    } catch (error) {
      this.#log.error(
        { err: error, waiting: this.#waiting.length },
        'requests could not be recorded; trying again',
      );
      this.#flushIn(RETRY_MS);
      return;
    }
    if (this.#waiting.length > 0) this.#flushIn(this.#waiting.length >= BATCH_ROWS ? 0 : GATHER_MS);
  }

  /** A record leaves the queue when it is written; written twice, it counts once. */
  async #writeBatch(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH_ROWS);
    const totals = await recordRequests(
      this.#db,
      batch.map(({ record }) => record),
    );
    this.#waiting = this.#waiting.slice(batch.length);
    const byKey = new Map(totals.map((total) => [total.keyId, total.spentNanoUsd]));
    for (const { record, spend } of batch) {
      spend.note(byKey.get(record.keyId) ?? 0n);
      spend.removePending(record.costNanoUsd);
    }
  }
}
