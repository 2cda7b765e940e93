import { ProviderConcurrency, UNLIMITED_PLACE, type ProviderPlace } from '../provider-concurrency.ts';
import type { PlaceCall, PlaceReply } from './place-calls.ts';

/** Maximum wait for the coordinator, which includes the end of a call that yields its place. */
const DEADLINE_MS = 2_000;
/** How long a place that was asked for in advance is kept. */
const AHEAD_MS = 1_000;

interface SharedConcurrencyOptions {
  /** Sends calls to the coordinator, which reads them in this order. */
  send: (calls: PlaceCall[]) => void;
  deadlineMs?: number;
  aheadMs?: number;
}

/**
 * Places at providers that another process grants. The calls of one turn of the event loop are one message. A place is taken
 * before it is granted. Without an answer, it is refused: a call without it could exceed the maximum.
 */
export class SharedConcurrency extends ProviderConcurrency {
  readonly #send: (calls: PlaceCall[]) => void;
  readonly #deadlineMs: number;
  readonly #aheadMs: number;
  readonly #places = new Map<number, SharedPlace>();
  /** By provider and account; null: it was refused. */
  readonly #ahead = new Map<string, SharedPlace | null>();
  #due: PlaceCall[] = [];
  #lastId = 0;

  constructor({ send, deadlineMs = DEADLINE_MS, aheadMs = AHEAD_MS }: SharedConcurrencyOptions) {
    super();
    this.#send = send;
    this.#deadlineMs = deadlineMs;
    this.#aheadMs = aheadMs;
  }

  override tryAcquire(providerId: string, max: number | null, accountId: string): ProviderPlace {
    return max === null ? UNLIMITED_PLACE : this.#ask(providerId, max, accountId);
  }

  override tryAcquireSpare(providerId: string, max: number | null): ProviderPlace {
    return max === null ? UNLIMITED_PLACE : this.#ask(providerId, max, null);
  }

  /** Asks for the place in advance, and takes it when it is granted. */
  override tryAcquireGranted(
    providerId: string,
    max: number | null,
    accountId: string,
  ): ProviderPlace | 'asked' | null {
    if (max === null) return UNLIMITED_PLACE;
    const key = `${providerId} ${accountId}`;
    const ahead = this.#ahead.get(key);
    if (ahead === undefined) {
      const place = this.#ask(providerId, max, accountId);
      this.#ahead.set(key, place);
      void place.granted.then((isGranted) => this.#keepAhead(key, place, isGranted));
      return 'asked';
    }
    if (ahead?.isGranted === false) return 'asked';
    this.#ahead.delete(key);
    return ahead;
  }

  override getCount(providerId: string): number {
    let count = 0;
    for (const place of this.#places.values()) if (place.providerId === providerId) count += 1;
    return count;
  }

  receive(replies: readonly PlaceReply[]): void {
    for (const { id, reply } of replies) this.#places.get(id)?.note(reply);
  }

  #ask(providerId: string, max: number, accountId: string | null): SharedPlace {
    this.#lastId += 1;
    const id = this.#lastId;
    const place = new SharedPlace({
      providerId,
      deadlineMs: this.#deadlineMs,
      onOffer: () => this.#queue({ id, call: 'offer' }),
      onEnd: (isTaken) => {
        this.#places.delete(id);
        if (isTaken) this.#queue({ id, call: 'release' });
      },
    });
    this.#places.set(id, place);
    this.#queue({ id, call: 'take', providerId, max, accountId });
    return place;
  }

  #keepAhead(key: string, place: SharedPlace, isGranted: boolean): void {
    if (!isGranted) this.#ahead.set(key, null);
    // Short, so that nothing has to end it.
    setTimeout(() => {
      const kept = this.#ahead.get(key);
      if (kept !== (isGranted ? place : null)) return;
      this.#ahead.delete(key);
      kept?.release();
    }, this.#aheadMs).unref();
  }

  #queue(call: PlaceCall): void {
    this.#due.push(call);
    if (this.#due.length > 1) return;
    setImmediate(() => {
      const calls = this.#due;
      this.#due = [];
      this.#send(calls);
    });
  }
}

interface SharedPlaceOptions {
  providerId: string;
  deadlineMs: number;
  onOffer: () => void;
  /** @param isTaken the coordinator counts it, or may */
  onEnd: (isTaken: boolean) => void;
}

class SharedPlace implements ProviderPlace {
  readonly granted: Promise<boolean>;
  isGranted = false;
  readonly #options: SharedPlaceOptions;
  readonly #settle: (isGranted: boolean) => void;
  #timer: ReturnType<typeof setTimeout> | null;
  #isOver = false;
  #giveUp: (() => void) | null = null;

  constructor(options: SharedPlaceOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.granted = promise;
    this.#settle = resolve;
    // Replies that arrived while this process was busy are read first.
    this.#timer = setTimeout(() => setImmediate(() => this.#expire()), options.deadlineMs);
  }

  get providerId(): string {
    return this.#options.providerId;
  }

  release(): void {
    this.#end(true);
  }

  offer(giveUp: () => void): void {
    if (this.#isOver) return;
    this.#giveUp = giveUp;
    if (this.isGranted) this.#options.onOffer();
  }

  note(reply: PlaceReply['reply']): void {
    switch (reply) {
      case 'granted':
        this.isGranted = true;
        this.#clearTimer();
        if (this.#giveUp !== null) this.#options.onOffer();
        return this.#settle(true);
      case 'refused':
        return this.#end(false);
      case 'recalled':
        return this.#giveUp?.();
    }
  }

  #expire(): void {
    if (!this.isGranted) this.#end(true);
  }

  #end(isTaken: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#clearTimer();
    this.#options.onEnd(isTaken);
    this.#settle(false);
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
