import type { Clock } from '@tollgate/core/runtime/clock';
import { getAllInputTokens, getAllOutputTokens } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { UNLIMITED_PLACE, type ProviderPlace } from '@tollgate/upstreams/routing/provider-concurrency';
import type { Logger } from 'pino';
import { findPrice, type Catalogue, type Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import type { UpstreamState } from '../pipeline/upstream-state.ts';
import { buildCheck, findCheckedEndpoint, type CheckedRoute } from './build-check.ts';
import type { CheckTally } from './check-tally.ts';
import { judgeCheck, type CheckVerdict } from './judge-check.ts';
import { SendingCheck } from './send-check.ts';

/** Checks in flight at the same time; others wait for a later look. */
const MAX_RUNNING = 16;
const LOOK_MS = 1_000;
const LIMIT_MS = 10_000;
/** Share of the interval by which a check may be earlier, so that replicas and routes are not checked together. */
const JITTER = 0.2;

/** Times that tests shorten. */
export interface HealthCheckTimes {
  /** Interval at which the catalogue is searched for routes that are due. */
  lookMs: number;
  /** Length of a second of the interval between checks. */
  secondMs: number;
  /** Time limit of a check. */
  limitMs: number;
}

interface HealthChecksOptions {
  clock: Clock;
  log: Logger;
  upstreams: UpstreamState;
  catalogue: { readonly current: Catalogue };
  tally: CheckTally;
  times?: Partial<HealthCheckTimes> | undefined;
  /** True while another process checks the routes, and shares the results. */
  isOff?: () => boolean;
}

/** With what decides when it is due, and what it costs. */
interface DueRoute extends CheckedRoute {
  price: Price;
  intervalMs: number;
}

/**
 * Sends small requests to routes of models with health checks, if the route's breaker is not closed, or no request was
 * answered within the interval. A success closes the breakers of the route in this process.
 */
export class HealthChecks {
  readonly #options: HealthChecksOptions;
  readonly #times: HealthCheckTimes;
  /** When a check of a route is due, by the route's id. */
  readonly #dueAtMs = new Map<string, number>();
  readonly #sending = new Map<string, SendingCheck>();
  /** By the route's id: ends when the result is counted. */
  readonly #running = new Map<string, Promise<void>>();
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: HealthChecksOptions) {
    this.#options = options;
    this.#times = { lookMs: LOOK_MS, secondMs: 1_000, limitMs: LIMIT_MS, ...options.times };
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#times.lookMs);
  }

  /** Ends the checks in flight, and starts no more. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const sending of this.#sending.values()) sending.stop();
  }

  /** Stops, and stores what was counted. */
  async close(): Promise<void> {
    this.stop();
    await Promise.all(this.#running.values());
    await this.#options.tally.close();
  }

  #look(): void {
    if (this.#options.isOff?.() === true) return void this.#options.tally.flush();
    const nowMs = this.#options.clock.nowMs();
    const checked = this.#listChecked(nowMs);
    const ids = new Set(checked.map(({ route }) => route.id));
    for (const id of this.#dueAtMs.keys()) if (!ids.has(id)) this.#dueAtMs.delete(id);
    const due = checked.filter((each) => this.#isDue(each, nowMs));
    // Silent routes, which are due as soon as their check has ended, would leave no time for those after them.
    const dueAtMs = ({ route }: CheckedRoute) => this.#dueAtMs.get(route.id) ?? nowMs;
    for (const each of due.toSorted((a, b) => dueAtMs(a) - dueAtMs(b))) this.#lookAt(each, nowMs);
    void this.#options.tally.flush();
  }

  #listChecked(nowMs: number): DueRoute[] {
    const { catalogue, upstreams } = this.#options;
    const checked: DueRoute[] = [];
    for (const model of catalogue.current.values()) {
      const { healthCheckIntervalS } = model.routing;
      if (healthCheckIntervalS === null) continue;
      const endpoint = findCheckedEndpoint(model);
      const price = findPrice(model, nowMs);
      if (endpoint === null || price === null) continue;
      const intervalMs = healthCheckIntervalS * this.#times.secondMs;
      for (const route of model.routes) {
        const routes = upstreams.credentials.usable(route.byCredential ?? [route]);
        for (const each of routes) checked.push({ model, price, route: each, endpoint, intervalMs });
      }
    }
    return checked;
  }

  /** Plans the first check of a route. */
  #isDue({ route, intervalMs }: DueRoute, nowMs: number): boolean {
    const dueAtMs = this.#dueAtMs.get(route.id);
    if (dueAtMs === undefined) {
      this.#dueAtMs.set(route.id, nowMs + Math.random() * intervalMs);
      return false;
    }
    // A check that is due after the interval was planned with a longer one.
    return nowMs >= dueAtMs || dueAtMs > nowMs + intervalMs;
  }

  #lookAt(checked: DueRoute, nowMs: number): void {
    const { route, intervalMs } = checked;
    if (this.#running.has(route.id) || this.#running.size >= MAX_RUNNING) return;
    this.#dueAtMs.set(route.id, nowMs + intervalMs * (1 - JITTER * Math.random()));
    if (!this.#isNeeded(checked, nowMs)) return;
    const place = this.#takePlace(route);
    if (place === null) return;
    const run = this.#run(checked, place).finally(() => this.#running.delete(route.id));
    this.#running.set(route.id, run);
  }

  #isNeeded({ route, endpoint, intervalMs }: DueRoute, nowMs: number): boolean {
    const { breakers, served } = this.#options.upstreams;
    if (breakers.isResting(endpoint.breakerId(route))) return true;
    return nowMs - served.getServedAtMs(route.id) >= intervalMs;
  }

  /** @returns null if the provider is full: it is used, and callers need the places */
  #takePlace({ provider }: Route): ProviderPlace | null {
    if (provider.kind === 'demo') return UNLIMITED_PLACE;
    return this.#options.upstreams.concurrency.tryAcquireSpare(provider.id, provider.maxConcurrency);
  }

  async #run(checked: DueRoute, place: ProviderPlace): Promise<void> {
    try {
      // The checks may have been stopped meanwhile.
      if (place.granted !== null && (!(await place.granted) || this.#timer === null)) return;
      const verdict = await this.#send(checked, place);
      if (verdict !== null) this.#note(checked, verdict);
    } catch (error) {
      this.#options.log.error({ err: error, route: checked.route.id }, 'a health check could not be made');
    } finally {
      place.release();
    }
  }

  /** @returns null if the provider's dialect cannot express it */
  async #send(checked: CheckedRoute, place: ProviderPlace): Promise<CheckVerdict | null> {
    const { upstreams, log } = this.#options;
    const { route } = checked;
    const request = buildCheck(checked, this.#times.limitMs);
    if (!request.ok) {
      log.warn({ route: route.id, reason: request.error.message }, 'a health check cannot be written');
      return null;
    }
    const { provider } = route;
    const transport = provider.kind === 'demo' ? upstreams.demo : upstreams.transports.of(provider);
    const sending = new SendingCheck(transport, request.value.upstream);
    this.#sending.set(route.id, sending);
    // No caller is refused because of a check.
    place.offer(() => {
      sending.stop();
      place.release();
    });
    try {
      return judgeCheck(await sending.ended, request.value.dialect);
    } finally {
      this.#sending.delete(route.id);
    }
  }

  #note({ model, price, route, endpoint }: DueRoute, verdict: CheckVerdict): void {
    const { upstreams, tally, clock, log } = this.#options;
    const { result, error, usage, reportedCostNanoUsd } = verdict;
    const breakerId = endpoint.breakerId(route);
    if (result === 'answered') upstreams.breakers.recover(breakerId);
    if (result === 'failed') upstreams.breakers.keepOpen(breakerId);
    if (error !== null) log.info({ route: route.id, model: model.id, error }, 'a health check failed');
    tally.note({
      routeId: route.routeId,
      model: model.id,
      provider: route.provider.name,
      endedAtMs: clock.nowMs(),
      isStopped: result === 'stopped',
      error,
      inputTokens: getAllInputTokens(usage),
      outputTokens: getAllOutputTokens(usage),
      costNanoUsd: reportedCostNanoUsd ?? computeCost(usage, price, route.costPpm),
    });
  }
}
