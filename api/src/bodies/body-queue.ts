/**
 * Queue of logged payloads, off the request path (fire-and-forget) and bounded in memory. Payloads that do not fit or
 * cannot be stored are dropped, counted and logged.
 */
import { sealBody, type BodyPlace } from '@tollgate/auth/seal-body';
import type { Sealer } from '@tollgate/auth/seal';
import type { BodyStore } from '@tollgate/db/body-store';
import type { SealedBodies, SealedBody } from '@tollgate/db/queries/bodies/insert-bodies';
import type { KeptBody, RecordedBodies, RecordingHost } from './recording.ts';

/** Limit for all logged payloads, in flight and queued. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_WAITING = 10_000;
const BATCH_ROWS = 200;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Payloads that finish within this time are stored in one batch. */
const GATHER_MS = 100;
const RETRY_MS = 1_000;
/** How long storing is retried, in ms. */
const GIVE_UP_MS = 30_000;
const LOSS_LOG_MS = 5_000;
/** Shutdown limit for storing queued payloads, in ms. */
const CLOSE_MS = 10_000;

export interface BodyQueueOptions {
  store: BodyStore;
  sealer: Sealer;
  log: { warn(fields: object, message: string): void };
  /** Overrides for tests. */
  bounds?: Partial<{ maxBytes: number; maxWaiting: number; retryMs: number; giveUpMs: number }>;
}

export class BodyQueue implements RecordingHost {
  readonly #options: BodyQueueOptions;
  readonly #bounds;
  #waiting: RecordedBodies[] = [];
  #reservedBytes = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #running: Promise<void> | null = null;
  /** Deadline for storing the queue; when set, nothing more may be recorded. */
  #closeByMs: number | null = null;
  #unlogged = 0;
  #lossTimer: ReturnType<typeof setTimeout> | null = null;
  /** Requests whose payloads were dropped since the start. */
  lost = 0;

  constructor(options: BodyQueueOptions) {
    this.#options = options;
    const usual = { maxBytes: MAX_BYTES, maxWaiting: MAX_WAITING, retryMs: RETRY_MS, giveUpMs: GIVE_UP_MS };
    this.#bounds = { ...usual, ...options.bounds };
  }

  reserve(bytes: number): boolean {
    if (this.#reservedBytes + bytes > this.#bounds.maxBytes) return false;
    this.#reservedBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#reservedBytes -= bytes;
  }

  add(bodies: RecordedBodies): void {
    if (this.#closeByMs !== null || this.#waiting.length >= this.#bounds.maxWaiting) {
      this.release(bodies.reservedBytes);
      this.noteLost();
      return;
    }
    this.#waiting.push(bodies);
    this.#wake(GATHER_MS);
  }

  noteLost(requests = 1): void {
    this.lost += requests;
    this.#unlogged += requests;
    // Log dropped payloads at most once per interval: one line for each would add to the overload.
    this.#lossTimer ??= setTimeout(() => this.#logLoss(), LOSS_LOG_MS).unref();
  }

  /** Stores queued payloads until the shutdown limit. Nothing may be recorded afterwards. */
  async close(): Promise<void> {
    this.#closeByMs = performance.now() + CLOSE_MS;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
    await this.#run();
    this.#logLoss();
    await this.#options.store.close();
  }

  #wake(delayMs: number): void {
    if (this.#timer !== null || this.#running !== null || this.#closeByMs !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#running = this.#run().finally(() => {
        this.#running = null;
        if (this.#waiting.length > 0) this.#wake(GATHER_MS);
      });
    }, delayMs);
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      const isLate = this.#closeByMs !== null && performance.now() >= this.#closeByMs;
      if (isLate || !(await this.#store(batch))) {
        // While closing, one failure drops the rest of the queue instead of retrying each batch.
        if (this.#closeByMs !== null) batch.push(...this.#waiting.splice(0));
        this.noteLost(batch.length);
      }
      for (const { reservedBytes } of batch) this.release(reservedBytes);
    }
  }

  #takeBatch(): RecordedBodies[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ reservedBytes }, index) => {
      bytes += reservedBytes;
      return index > 0 && (index >= BATCH_ROWS || bytes > BATCH_BYTES);
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  /** Never rejects. @returns false if it gave up */
  async #store(batch: readonly RecordedBodies[]): Promise<boolean> {
    const giveUpAtMs = performance.now() + this.#bounds.giveUpMs;
    const rows: SealedBodies[] = [];
    for (;;) {
      try {
        for (const bodies of batch.slice(rows.length)) rows.push(await this.#seal(bodies));
        await this.#options.store.insert(rows);
        return true;
      } catch (error) {
        if (this.#closeByMs !== null || performance.now() >= giveUpAtMs) {
          this.#options.log.warn(
            { err: error, requests: batch.length },
            'bodies of requests cannot be stored',
          );
          return false;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, this.#bounds.retryMs));
    }
  }

  async #seal(bodies: RecordedBodies): Promise<SealedBodies> {
    const { accountId, requestId, startedAtMs, request, answer } = bodies;
    const place = { accountId, requestId };
    return {
      ...place,
      startedAtMs,
      request: await this.#sealOne(request, { ...place, side: 'request' }),
      answer: answer.bytes === 0 ? null : await this.#sealOne(answer, { ...place, side: 'answer' }),
    };
  }

  async #sealOne({ kept, bytes }: KeptBody, place: BodyPlace): Promise<SealedBody> {
    const sealed = await sealBody(this.#options.sealer, kept, place);
    return { sealed, bytes, isTruncated: kept.length < bytes };
  }

  #logLoss(): void {
    if (this.#lossTimer !== null) clearTimeout(this.#lossTimer);
    this.#lossTimer = null;
    if (this.#unlogged === 0) return;
    const fields = { requests: this.#unlogged, sinceStart: this.lost };
    this.#unlogged = 0;
    this.#options.log.warn(
      fields,
      'bodies of requests are lost: the database stored them too slowly, or not at all',
    );
  }
}
