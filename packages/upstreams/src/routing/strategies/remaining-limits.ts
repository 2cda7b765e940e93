import type { Clock } from '@tollgate/core/runtime/clock';
import { parseRemaining, type RemainingLimit } from '../limit-headers.ts';

/** What a route has left, as of its last response. */
interface Remaining {
  limits: readonly (RemainingLimit & { limit: number })[];
  atMs: number;
}

/**
 * What is left of the rate limits of each route's provider, as this process saw it in the last response. Removed routes are
 * forgotten with `keepOnly`.
 */
export class RemainingLimits {
  readonly #clock: Clock;
  readonly #known = new Map<string, Remaining>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records the headers of a response; one without them changes nothing. */
  note(routeId: string, header: (name: string) => string | null): void {
    const nowMs = this.#clock.nowMs();
    const found = parseRemaining(header, nowMs);
    if (found.length === 0) return;
    const earlier = this.#known.get(routeId)?.limits ?? [];
    // Of a provider that does not name its limit, the most that was ever left is the limit.
    const getMost = ({ name, remaining }: RemainingLimit) =>
      Math.max(remaining, earlier.find((other) => other.name === name)?.limit ?? 1);
    const limits = found.map((each) => ({ ...each, limit: each.limit ?? getMost(each) }));
    this.#known.set(routeId, { limits, atMs: nowMs });
  }

  /**
   * The share of its tightest limit that a route has left now: above 0, 1 if nothing is known. Limits refill continuously
   * until the time of their reset.
   * @param ids of the route with each credential: the mean counts
   */
  getShare(ids: readonly string[]): number {
    return ids.reduce((sum, id) => sum + this.#getShare(id), 0) / ids.length;
  }

  keepOnly(isKept: (routeId: string) => boolean): void {
    for (const id of this.#known.keys()) if (!isKept(id)) this.#known.delete(id);
  }

  #getShare(routeId: string): number {
    const known = this.#known.get(routeId);
    if (known === undefined) return 1;
    const nowMs = this.#clock.nowMs();
    const shares = known.limits.map(({ remaining, limit, fullAtMs }) => {
      const share = Math.min(remaining / limit, 1);
      if (fullAtMs <= nowMs) return 1;
      return share + ((1 - share) * (nowMs - known.atMs)) / (fullAtMs - known.atMs);
    });
    return Math.max(Math.min(...shares), 0.001);
  }
}
