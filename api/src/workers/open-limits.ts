import { createLimits, type Limits, type LimitsOptions } from '@tollgate/limits/create-limits';
import { CoordinatedLimitStore } from '@tollgate/limits/coordinated/coordinated-store';
import type { WorkerLink } from './worker-link.ts';

/** The limits of a process. Without Redis, the supervisor decides for all workers. */
export async function openLimits(options: LimitsOptions & { link: WorkerLink | null }): Promise<Limits> {
  const { link, redisUrl } = options;
  if (link === null || redisUrl !== null) return createLimits(options);
  const store = new CoordinatedLimitStore({ send: (calls) => link.send({ type: 'limits', calls }) });
  link.onLimits = (replies) => store.receive(replies);
  return store;
}
