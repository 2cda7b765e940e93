import type { Buffer } from 'node:buffer';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import type { BodyCollector } from './body-collector.ts';
import { BROKEN_BODY, type ReadLimits } from './read-limits.ts';
import { watchPace } from './watch-pace.ts';
import { freeMemory } from './worker/free-memory.ts';

/** Where the bytes of a body come from: a request of Node, or a connection. */
export interface BodySource {
  pause(): void;
  resume(): void;
}

export interface Receiving {
  limits: ReadLimits;
  /** True: the body must arrive at the pace of the limits, and large ones take turns. */
  isWatched: boolean;
}

/** Receives the body of a request in pieces. A body that is refused is not read further. */
export class BodyReceiver {
  readonly result: Promise<Result<Buffer>>;
  readonly #resolve: (result: Result<Buffer>) => void;
  readonly #source: BodySource;
  readonly #collector: BodyCollector;
  readonly #receiving: Receiving;
  readonly #stopWatch: (() => void) | null;
  #isOver = false;
  #isAtTurn = false;
  #isWaiting = false;

  constructor(source: BodySource, collector: BodyCollector, receiving: Receiving) {
    const { promise, resolve } = Promise.withResolvers<Result<Buffer>>();
    this.result = promise;
    this.#resolve = resolve;
    this.#source = source;
    this.#collector = collector;
    this.#receiving = receiving;
    this.#stopWatch = receiving.isWatched
      ? watchPace(collector, receiving.limits.pace, (error) => this.#fail(error))
      : null;
  }

  /** @param chunk is empty afterwards if it has a separate ArrayBuffer and was copied */
  add(chunk: Buffer): void {
    const { length } = chunk;
    if (this.#isOver) return;
    const error = this.#collector.add(chunk);
    // V8 collects the whole heap after some amount of new buffers, unless they are freed before.
    if (!this.#collector.keeps(chunk)) freeMemory(chunk);
    this.#take(error, length);
  }

  /** @param chunk valid until the return */
  addLent(chunk: Buffer): void {
    if (!this.#isOver) this.#take(this.#collector.addLent(chunk), chunk.length);
  }

  #take(error: GatewayError | null, length: number): void {
    const { limits, isWatched } = this.#receiving;
    if (error !== null) this.#fail(error);
    // After its last bytes, a source is no longer paused for this body: nothing would resume it for the next one.
    else if (
      isWatched &&
      limits.turns.spend(limits.owner, length, this.#isAtTurn) &&
      !this.#collector.isComplete
    ) {
      this.#source.pause();
      this.#isAtTurn = false;
      // The pieces that a connection has kept come although it is paused.
      if (this.#isWaiting) return;
      this.#isWaiting = true;
      limits.turns.wait(limits.owner, () => this.#resumeAtTurn());
    }
  }

  #resumeAtTurn(): void {
    this.#isWaiting = false;
    if (this.#isOver) return;
    this.#isAtTurn = true;
    this.#source.resume();
  }

  /** The body is complete. */
  end(): void {
    this.#finish({ ok: true, value: this.#collector.finish() });
  }

  /** The caller disconnected before the end of the body. */
  interrupt(): void {
    this.#fail(deny('invalid_request', BROKEN_BODY).error);
  }

  #fail(error: GatewayError): void {
    if (this.#isOver) return;
    this.#source.pause();
    this.#finish({ ok: false, error });
  }

  #finish(result: Result<Buffer>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWatch?.();
    this.#resolve(result);
  }
}
