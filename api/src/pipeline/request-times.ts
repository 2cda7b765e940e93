/** When each step of a request happened, in milliseconds since it started; null: it did not. */
export class RequestTimes {
  readonly #startedAtMs: number;
  #holdWaitSinceMs: number | null = null;
  firstByteMs: number | null = null;
  queueMs: number | null = null;
  /** How long the connection to the provider took. */
  connectMs: number | null = null;
  /** How long the request waited for its hold and nothing else. */
  holdMs = 0;
  /** When the request was sent to the current route, in Unix milliseconds; 0: not yet. */
  routeStartedAtMs = 0;

  /** @param startedAtMs Unix milliseconds */
  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs;
  }

  get elapsedMs(): number {
    return Date.now() - this.#startedAtMs;
  }

  /** Since the request was sent to the current route; null: it was not. */
  get sinceRouteMs(): number | null {
    return this.routeStartedAtMs === 0 ? null : Date.now() - this.routeStartedAtMs;
  }

  noteAdmitted(): void {
    this.queueMs = this.elapsedMs;
  }

  noteFirstByte(): void {
    this.firstByteMs = this.elapsedMs;
  }

  /** The request is sent to a route. */
  noteRoute(): void {
    this.routeStartedAtMs = Date.now();
    this.firstByteMs = null;
    this.connectMs = null;
  }

  startHoldWait(): void {
    this.#holdWaitSinceMs ??= Date.now();
  }

  endHoldWait(): void {
    if (this.#holdWaitSinceMs !== null) this.holdMs = Date.now() - this.#holdWaitSinceMs;
    this.#holdWaitSinceMs = null;
  }
}
