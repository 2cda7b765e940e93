import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { LimitStore } from './limit-store.ts';
import { MemoryLimitStore } from './memory-store.ts';
import { RedisLink, type LimitsLog } from './redis/redis-link.ts';
import { RedisLimitStore } from './redis/redis-store.ts';
import { SharedLimitStore } from './shared-store.ts';
import { processClock } from './steady-clock.ts';

/** How long a start waits for Redis. */
const START_WAIT_MS = 1000;
/** How long a request waits for Redis before memory decides. */
const DEADLINE_MS = 250;
const LOOK_EVERY_MS = 5;

export interface Limits extends LimitStore {
  /** Where limits are kept; degraded: Redis is away, and each process keeps them by itself. */
  health(): 'memory' | 'redis' | 'degraded';
}

export interface LimitsOptions {
  /** `redis://…` or `rediss://…`; null: the memory of this process. */
  redisUrl: string | null;
  /** The time for windows in memory; one that only goes forward, where none is given. */
  clock?: Clock;
  log?: LimitsLog;
  /** How long a request waits for Redis before the memory of this process decides; 250 ms where it is not given. */
  deadlineMs?: number;
  /** Tests turn Redis' time with it, which else is the server's. */
  redisNowMs?: () => number;
}

/**
 * The limits of a deployment. Redis may be away, at the start or later: limits are then kept by each process, until it
 * answers again.
 *
 * @throws where `redisUrl` is no address
 */
export async function createLimits(options: LimitsOptions): Promise<Limits> {
  const clock = options.clock ?? processClock;
  const memory = new MemoryLimitStore(clock);
  if (options.redisUrl === null) return Object.assign(memory, { health: () => 'memory' as const });
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
