import { queueDueRuns } from '@tollgate/db/queries/jobs/queue-due-runs';
import type { JobDeps, JobKind } from './job-kind.ts';

type ScheduledKind = JobKind & { everySeconds: number };

export interface SchedulerOptions {
  /** Runs of this kind wait. */
  wake: (name: string) => void;
  onError: (error: unknown) => void;
}

/**
 * Queues the runs that are due, now and at intervals, in one statement for all kinds.
 * @returns a function that stops it, and resolves after the last statement
 */
export function startScheduler(
  deps: JobDeps,
  kinds: readonly JobKind[],
  { wake, onError }: SchedulerOptions,
): () => Promise<void> {
  const scheduled = kinds.filter((kind): kind is ScheduledKind => kind.everySeconds !== null);
  if (scheduled.length === 0) return async () => undefined;
  const tickSeconds = scheduled.map(({ everySeconds }) => everySeconds).reduce(greatestCommonDivisor);
  const due = new Set<ScheduledKind>();
  let elapsedSeconds = 0;
  let queueing = Promise.resolve();
  const tick = () => {
    for (const kind of scheduled) if (elapsedSeconds % kind.everySeconds === 0) due.add(kind);
    elapsedSeconds += tickSeconds;
    queueing = queueing.then(queueDue);
  };
  const queueDue = async () => {
    if (due.size === 0) return;
    const asked = [...due];
    due.clear();
    try {
      const nowMs = deps.clock.nowMs();
      const runs = asked.map(({ name, everySeconds, hasWork }) => ({
        name,
        everySeconds,
        hasWork: hasWork?.(nowMs),
      }));
      for (const name of await queueDueRuns(deps.db, runs)) wake(name);
    } catch (error) {
      // The next tick asks again.
      for (const kind of asked) due.add(kind);
      onError(error);
    }
  };
  tick();
  const timer = setInterval(tick, tickSeconds * 1000).unref();
  return () => {
    clearInterval(timer);
    return queueing;
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
