import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { LimitStore } from './limit-store.ts';
import { MemoryLimitStore } from './memory-store.ts';
import type { LimitsLog } from './redis/redis-link.ts';
import { RedisLimitStore } from './redis/redis-store.ts';
import { SharedLimitStore } from './shared-store.ts';
import { processClock } from './steady-clock.ts';

/** Maximum wait for Redis at startup. */
const START_WAIT_MS = 1000;
/** Maximum wait of a request for Redis before memory decides. */
const DEADLINE_MS = 250;
const LOOK_EVERY_MS = 5;

export interface Limits extends LimitStore {
  /**
   * Storage of limits; degraded: Redis is unavailable, and each replica keeps its own; unavailable: requests with limits are
   * refused.
   */
  health(): 'memory' | 'redis' | 'degraded' | 'unavailable';
}

export interface LimitsOptions {
  /** `redis://…` or `rediss://…`; null: memory of this process. */
  redisUrl: string | null;
  /** Clock for windows in memory. Default: a monotonic clock. */
  clock?: Clock;
  log?: LimitsLog;
  /** Maximum wait of a request for Redis before memory decides. Default: 250 ms. */
  deadlineMs?: number;
  /** Clock of Redis for tests. Default: the server's clock. */
  redisNowMs?: () => number;
}

/**
 * Creates the limits of a deployment. While Redis is unavailable, at startup or later, each process keeps its own
 * limits.
 *
 * @throws if `redisUrl` is invalid
 */
export async function createLimits(options: LimitsOptions): Promise<Limits> {
  const clock = options.clock ?? processClock;
  const memory = new MemoryLimitStore(clock);
  if (options.redisUrl === null) return Object.assign(memory, { health: () => 'memory' as const });
  // Loaded on use: the client of Redis has 480 modules.
  const { RedisLink } = await import('./redis/redis-link.ts');
  let store: SharedLimitStore | null = null;
  const link = new RedisLink({
    url: options.redisUrl,
    log: options.log ?? null,
    onUp: () => store?.noteReturn(),
  });
  const redis = new RedisLimitStore(link, options.redisNowMs ?? null);
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  store = new SharedLimitStore({ memory, redis, link, clock, deadlineMs });
  for (let waitedMs = 0; waitedMs < START_WAIT_MS && !link.isUp; waitedMs += LOOK_EVERY_MS)
    await sleep(LOOK_EVERY_MS);
  return store;
}
