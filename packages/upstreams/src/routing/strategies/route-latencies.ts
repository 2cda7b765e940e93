import type { Clock } from '@tollgate/core/runtime/clock';

/** The least share of a new measurement in a route's average. */
const LEAST_SHARE = 0.2;
/** Its share if it differs by more than a factor of two. */
const SURPRISE_SHARE = 0.5;
/** The time in which older measurements lose two thirds of their share. */
const DECAY_MS = 30_000;
/** Smaller differences are no surprise. */
const TOLERANCE_MS = 20;
/** Numbers that are not older than this are not measured again because another route was slow. */
const FRESH_MS = 1_000;
/** What a failure counts as, at least: the time to the first token of the next route comes on top. */
const FAILED_MS = 10_000;
/** A probe that was not heard of for this long does not prevent another one. */
const PROBE_MS = 60_000;
/** Accounts whose failures are remembered for one route; beyond this the oldest are forgotten. */
const MAX_ACCOUNTS = 1_000;

interface Latency {
  firstTokenMs: number;
  /** null: no response has ended yet. */
  perTokenMs: number | null;
  /** Of a usual response; null: no response has ended yet. */
  outputTokens: number | null;
  measuredAtMs: number;
  /** True: it may be different by now. */
  isStale: boolean;
  /** True: it counts as slower because of a request that waits, perhaps because of what that asks for. */
  isDoubted: boolean;
}

/** The time that failures add to a route. */
interface Penalty {
  ms: number;
  atMs: number;
}

/**
 * How fast each route of this process is: moving averages of the time to the first token and of the time for each output
 * token, in which older measurements count less the longer ago they are. Removed routes are forgotten with `keepOnly`.
 */
export class RouteLatencies {
  readonly #clock: Clock;
  readonly #known = new Map<string, Latency>();
  /** Until when a route's probe may be in flight. */
  readonly #probes = new Map<string, number>();

  /** By route, and by the account whose requests failed. */
  readonly #penalties = new Map<string, Map<string, Penalty>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The expected time of a usual response of each route to an account, in ms; null: never measured. */
  estimate(routeIds: readonly string[], accountId: string): ReadonlyMap<string, number | null> {
    const known = routeIds.flatMap((id) => this.#known.get(id) ?? []);
    const tokens = getMean(known.map(({ outputTokens }) => outputTokens));
    const usualMs = getMean(known.map(({ perTokenMs }) => perTokenMs));
    return new Map(
      routeIds.map((id) => {
        const latency = this.#known.get(id);
        if (latency === undefined) return [id, null];
        const servedMs = latency.firstTokenMs + tokens * (latency.perTokenMs ?? usualMs);
        return [id, servedMs + this.#getPenaltyMs(id, accountId)];
      }),
    );
  }

  /** The route that was measured longest ago, and not within the last second; null: none. */
  findOldest(routeIds: readonly string[]): string | null {
    let oldest: { id: string; atMs: number } | null = null;
    for (const id of routeIds) {
      const atMs = this.#known.get(id)?.measuredAtMs ?? 0;
      if (atMs < (oldest?.atMs ?? this.#clock.nowMs() - FRESH_MS)) oldest = { id, atMs };
    }
    return oldest?.id ?? null;
  }

  /** True: the route was never measured, or may be faster by now. */
  isStale(routeId: string): boolean {
    return this.#known.get(routeId)?.isStale ?? true;
  }

  /** @returns false if a request that measures the route is in flight already */
  tryProbe(routeId: string): boolean {
    const nowMs = this.#clock.nowMs();
    if ((this.#probes.get(routeId) ?? 0) > nowMs) return false;
    this.#probes.set(routeId, nowMs + PROBE_MS);
    return true;
  }

  /** @param peers other routes of its model, which are measured again if this one was surprisingly slow */
  noteFirstToken(routeId: string, ms: number, peers: readonly string[]): void {
    const latency = this.#measured(routeId, ms);
    if (latency === null) return;
    const share = this.#getShare(latency, { ms, expectedMs: latency.firstTokenMs, peers });
    latency.firstTokenMs = mix(latency.firstTokenMs, ms, share);
  }

  /** No token has arrived yet. A route that is much slower than expected counts as such before it responds. @param ms so far */
  noteWaiting(routeId: string, ms: number, peers: readonly string[]): void {
    const latency = this.#known.get(routeId);
    if (latency === undefined || ms <= 2 * latency.firstTokenMs + TOLERANCE_MS) return;
    latency.firstTokenMs = mix(latency.firstTokenMs, ms, SURPRISE_SHARE);
    latency.isDoubted = true;
    this.#markStale(peers, this.#clock.nowMs());
  }

  /** A stream has ended. @param ms since its first token */
  noteStream(routeId: string, ms: number, outputTokens: number): void {
    const latency = this.#known.get(routeId);
    if (latency === undefined || outputTokens < 2) return;
    const perTokenMs = ms / (outputTokens - 1);
    latency.perTokenMs = mix(latency.perTokenMs ?? perTokenMs, perTokenMs, LEAST_SHARE);
    latency.outputTokens = mix(latency.outputTokens ?? outputTokens, outputTokens, LEAST_SHARE);
  }

  /** A response that is not a stream has arrived. Its time is divided as the times of the route's earlier responses. */
  noteWhole(routeId: string, response: { ms: number; outputTokens: number; peers: readonly string[] }): void {
    const { ms, outputTokens, peers } = response;
    const tokens = Math.max(outputTokens, 1);
    const latency = this.#measured(routeId, ms / 2);
    if (latency === null) return this.noteStream(routeId, ms / 2, tokens + 1);
    latency.perTokenMs ??= 0;
    const expectedMs = latency.firstTokenMs + tokens * latency.perTokenMs;
    const share = this.#getShare(latency, { ms, expectedMs, peers });
    const factor = mix(1, ms / Math.max(expectedMs, 1), share);
    latency.firstTokenMs *= factor;
    latency.perTokenMs *= factor;
    latency.outputTokens = mix(latency.outputTokens ?? tokens, tokens, LEAST_SHARE);
  }

  /**
   * @param ms until it failed
   * @param accountId the only account whose requests failed, perhaps because of what it sends, so that the route is slower only
   *   for this one; null: the failure is the provider's own
   */
  noteFailure(routeId: string, ms: number, accountId: string | null): void {
    const failedMs = Math.max(ms, FAILED_MS);
    const latency = this.#measured(routeId, failedMs);
    if (latency === null) return;
    if (accountId === null) latency.firstTokenMs = mix(latency.firstTokenMs, failedMs, LEAST_SHARE);
    else this.#addPenalty(routeId, accountId, failedMs);
  }

  #addPenalty(routeId: string, accountId: string, failedMs: number): void {
    const penalties = this.#penalties.get(routeId) ?? new Map<string, Penalty>();
    this.#penalties.set(routeId, penalties);
    const ms = mix(this.#getPenaltyMs(routeId, accountId), failedMs, LEAST_SHARE);
    penalties.delete(accountId);
    const [oldest] = penalties.keys();
    if (penalties.size >= MAX_ACCOUNTS && oldest !== undefined) penalties.delete(oldest);
    penalties.set(accountId, { ms, atMs: this.#clock.nowMs() });
  }

  #getPenaltyMs(routeId: string, accountId: string): number {
    const penalty = this.#penalties.get(routeId)?.get(accountId);
    return penalty === undefined ? 0 : penalty.ms * Math.exp((penalty.atMs - this.#clock.nowMs()) / DECAY_MS);
  }

  /** The attempt says nothing about the route. */
  release(routeId: string): void {
    this.#probes.delete(routeId);
  }

  keepOnly(isKept: (routeId: string) => boolean): void {
    for (const id of this.#known.keys()) if (!isKept(id)) this.#known.delete(id);
    for (const id of this.#penalties.keys()) if (!isKept(id)) this.#penalties.delete(id);
    for (const id of this.#probes.keys()) if (!isKept(id)) this.#probes.delete(id);
  }

  /** @returns null if this is the first measurement */
  #measured(routeId: string, firstTokenMs: number): Latency | null {
    this.#probes.delete(routeId);
    const latency = this.#known.get(routeId);
    if (latency !== undefined) return latency;
    const measuredAtMs = this.#clock.nowMs();
    this.#known.set(routeId, {
      firstTokenMs,
      perTokenMs: null,
      outputTokens: null,
      measuredAtMs,
      isStale: false,
      isDoubted: false,
    });
    return null;
  }

  #getShare(
    latency: Latency,
    measured: { ms: number; expectedMs: number; peers: readonly string[] },
  ): number {
    const { ms, expectedMs, peers } = measured;
    const nowMs = this.#clock.nowMs();
    const ageMs = nowMs - latency.measuredAtMs;
    latency.measuredAtMs = nowMs;
    const isSlow = ms > 2 * expectedMs + TOLERANCE_MS;
    const isFast = ms + TOLERANCE_MS < expectedMs / 2;
    // Much faster or slower than before: one more measurement decides sooner. A single slow response may be due to its request.
    latency.isStale = isFast || isSlow || latency.isDoubted;
    latency.isDoubted = false;
    if (isSlow) this.#markStale(peers, nowMs);
    return Math.max(isFast || isSlow ? SURPRISE_SHARE : LEAST_SHARE, 1 - Math.exp(-ageMs / DECAY_MS));
  }

  #markStale(routeIds: readonly string[], nowMs: number): void {
    for (const id of routeIds) {
      const latency = this.#known.get(id);
      if (latency !== undefined && nowMs - latency.measuredAtMs > FRESH_MS) latency.isStale = true;
    }
  }
}

function mix(old: number, measured: number, share: number): number {
  return old + (measured - old) * share;
}

/** 0 without values. */
function getMean(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}
