import type { Clock } from '@tollgate/core/runtime/clock';

/** Cooldowns that are remembered; beyond this the oldest are forgotten. */
const MAX_COOLDOWNS = 10_000;
/** Maximum cooldown. */
const MAX_COOLDOWN_MS = 60_000;

/**
 * Which routes asked an account to slow down, and until when. A 429 is no failure of the route: other accounts are not
 * affected, and the account itself only tries its other routes first.
 */
export class RouteCooldowns {
  readonly #clock: Clock;
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param retryAfterMs from the provider; null: absent, no cooldown */
  start(routeId: string, accountId: string, retryAfterMs: number | null): void {
    if (retryAfterMs === null || retryAfterMs <= 0) return;
    const key = `${routeId} ${accountId}`;
    this.#untilMs.delete(key);
    if (this.#untilMs.size >= MAX_COOLDOWNS) this.#dropOldest();
    this.#untilMs.set(key, this.#clock.nowMs() + Math.min(retryAfterMs, MAX_COOLDOWN_MS));
  }

  /** Returns the routes in the same order, with the account's cooling routes last. */
  order<Route extends { id: string }>(routes: readonly Route[], accountId: string): readonly Route[] {
    if (this.#untilMs.size === 0 || routes.length < 2) return routes;
    const cooling = routes.filter(({ id }) => this.getRemainingMs(id, accountId) !== null);
    return cooling.length === 0
      ? routes
      : [...routes.filter((route) => !cooling.includes(route)), ...cooling];
  }

  /** @returns null if the route is not cooling for the account */
  getRemainingMs(routeId: string, accountId: string): number | null {
    const key = `${routeId} ${accountId}`;
    const untilMs = this.#untilMs.get(key);
    if (untilMs === undefined) return null;
    const remainingMs = untilMs - this.#clock.nowMs();
    if (remainingMs > 0) return remainingMs;
    this.#untilMs.delete(key);
    return null;
  }

  #dropOldest(): void {
    for (const oldest of this.#untilMs.keys()) {
      this.#untilMs.delete(oldest);
      return;
    }
  }
}
