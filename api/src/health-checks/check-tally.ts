import type { HealthCheckCount } from '@tollgate/db/queries/health-checks/health-checks';
import type { Logger } from 'pino';

const HOUR_MS = 3_600_000;
/** Routes and hours that are kept while the database is unavailable; beyond this, new ones are not counted. */
const MAX_COUNTS = 10_000;

interface CheckTallyOptions {
  store: (counts: readonly HealthCheckCount[]) => Promise<void>;
  log: Logger;
}

/** One health check. */
export interface CountedCheck extends Pick<HealthCheckCount, 'routeId' | 'model' | 'provider'> {
  endedAtMs: number;
  /** True: it has no result, but may cost something. */
  isStopped: boolean;
  error: string | null;
  inputTokens: number;
  outputTokens: number;
  costNanoUsd: bigint;
}

/** Sums health checks by route and hour until they are stored. */
export class CheckTally {
  readonly #options: CheckTallyOptions;
  #counts = new Map<string, HealthCheckCount>();
  #flushing: Promise<void> | null = null;

  constructor(options: CheckTallyOptions) {
    this.#options = options;
  }

  note({ routeId, model, provider, endedAtMs, isStopped, error, ...used }: CountedCheck): void {
    const failures = error === null ? 0 : 1;
    const last = { lastCheckedAtMs: isStopped ? 0 : endedAtMs, lastError: error };
    const hourMs = endedAtMs - (endedAtMs % HOUR_MS);
    this.#add({ routeId, model, provider, hourMs, checks: 1, failures, ...last, ...used });
  }

  /** Stores what was counted. What cannot be stored is stored with the next flush. */
  flush(): Promise<void> {
    if (this.#flushing !== null || this.#counts.size === 0) return this.#flushing ?? Promise.resolve();
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#flushing = this.#store(counts).finally(() => (this.#flushing = null));
    return this.#flushing;
  }

  /** Stores the rest. */
  async close(): Promise<void> {
    await this.#flushing;
    await this.flush();
  }

  async #store(counts: readonly HealthCheckCount[]): Promise<void> {
    try {
      await this.#options.store(counts);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'health checks could not be stored yet');
      for (const count of counts) this.#add(count);
    }
  }

  #add(count: HealthCheckCount): void {
    const key = `${count.routeId} ${count.hourMs} ${count.model}`;
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= MAX_COUNTS) return;
    this.#counts.set(key, known === undefined ? count : sum(known, count));
  }
}

function sum(a: HealthCheckCount, b: HealthCheckCount): HealthCheckCount {
  return {
    ...(b.lastCheckedAtMs >= a.lastCheckedAtMs ? b : a),
    checks: a.checks + b.checks,
    failures: a.failures + b.failures,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costNanoUsd: a.costNanoUsd + b.costNanoUsd,
  };
}
