/** Times of the steps of a request, in milliseconds since it started; null: step not reached. */
export class RequestTimes {
  readonly #startedAtMs: number;
  #holdWaitSinceMs: number | null = null;
  firstByteMs: number | null = null;
  queueMs: number | null = null;
  /** Time to connect to the provider. */
  connectMs: number | null = null;
  /** Time from sending the request to its current route to the first text of the stream. */
  silentMs: number | null = null;
  /** Time that the request waited only for its hold. */
  holdMs = 0;
  /** When the request was sent to its current route, in Unix milliseconds; 0: not yet. */
  sentAtMs = 0;

  /** @param startedAtMs Unix milliseconds */
  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs;
  }

  get elapsedMs(): number {
    return Date.now() - this.#startedAtMs;
  }

  /** Time since the request was sent to its current route, without the time to connect; null: not sent yet. */
  get sinceSentMs(): number | null {
    return this.sentAtMs === 0 ? null : Date.now() - this.sentAtMs - (this.connectMs ?? 0);
  }

  /** Time since the request was sent to its current route; 0: not sent yet. */
  get attemptMs(): number {
    return this.sentAtMs === 0 ? 0 : Date.now() - this.sentAtMs;
  }

  noteAdmitted(): void {
    this.queueMs = this.elapsedMs;
  }

  noteFirstText(): void {
    this.silentMs ??= this.sinceSentMs;
  }

  noteFirstByte(): void {
    this.firstByteMs = this.elapsedMs;
  }

  /**
   * The request has another route, to which it is not sent yet.
   * @param isContinued true: the caller has the first part of the response
   */
  noteRoute(isContinued: boolean): void {
    this.sentAtMs = 0;
    if (!isContinued) this.firstByteMs = null;
    this.connectMs = null;
    this.silentMs = null;
  }

  startHoldWait(): void {
    this.#holdWaitSinceMs ??= Date.now();
  }

  endHoldWait(): void {
    if (this.#holdWaitSinceMs !== null) this.holdMs = Date.now() - this.#holdWaitSinceMs;
    this.#holdWaitSinceMs = null;
  }
}
