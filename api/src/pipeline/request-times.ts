/** Times of the steps of a request, in milliseconds since it started; null: step not reached. */
export class RequestTimes {
  readonly #startedAtMs: number;
  #holdWaitSinceMs: number | null = null;
  firstByteMs: number | null = null;
  queueMs: number | null = null;
  /** Time to connect to the provider. */
  connectMs: number | null = null;
  /** Time from the request to the current route to the first text of its stream. */
  silentMs: number | null = null;
  /** Time that the request waited only for its hold. */
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

  /** Time since the request was sent to the current route; null: not sent. */
  get sinceRouteMs(): number | null {
    return this.routeStartedAtMs === 0 ? null : Date.now() - this.routeStartedAtMs;
  }

  noteAdmitted(): void {
    this.queueMs = this.elapsedMs;
  }

  noteFirstText(): void {
    this.silentMs ??= this.sinceRouteMs;
  }

  noteFirstByte(): void {
    this.firstByteMs = this.elapsedMs;
  }

  /** The next attempt goes to a route; a retry may wait first. */
  noteRoute(): void {
    this.routeStartedAtMs = Date.now();
    this.firstByteMs = null;
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
