import { JOB_PAYLOADS, type JobPayload, type QueuedJob } from '@tollgate/core/runtime/job-payloads';
import type { DueRun } from '@tollgate/db/queries/jobs/queue-due-runs';
import type { Queue } from 'pg-boss';
import type { Deps } from '../deps.ts';
import type { Postman } from '../mail/smtp.ts';

/** What jobs need from outside. */
export interface JobDeps extends Deps {
  /** null: emails are kept for the mailbox. */
  postman: Postman | null;
}

/** One definition per kind of job. */
export interface JobKind {
  /** Also the name of its queue. */
  name: string;
  /** Retries and time limits, for pg-boss. */
  queue: Omit<Queue, 'name' | 'policy'> & { policy: 'exclusive' | 'short' };
  /** Interval between runs, shared by all consoles; null: each job is queued by the change that needs it. */
  everySeconds: number | null;
  /** Whether a scheduled run would do anything; absent: unknown. */
  hasWork?: ((nowMs: number) => DueRun['hasWork']) | undefined;
  /** A due job is found after this time if no notification arrives: after a delay, or from a process that was killed. */
  pollSeconds: number;
  /** Jobs that run at the same time in one process. */
  concurrency: number;
  /** False: this process leaves the jobs in the queue. */
  canRun(deps: JobDeps): boolean;
  /** @throws Error to have the job retried, if its queue allows it */
  run(deps: JobDeps, data: unknown): Promise<unknown>;
}

/** A job that sends no heartbeat for this long is retried: its process was killed. */
const HEARTBEAT_SECONDS = 30;
const DAY_SECONDS = 86_400;
/** Longer than any job waits. */
const FOREVER_SECONDS = 3650 * DAY_SECONDS;
/** The handler decides when to stop, so that it can inform the operator. */
const UNLIMITED_RETRIES = 1_000_000;
/** The scheduler finds waiting runs. */
const SCHEDULED_POLL_SECONDS = 3600;

/** Delay after the first failure, doubled after each further one. pg-boss adds up to as much again, at random. */
export interface Backoff {
  firstSeconds: number;
  maxSeconds: number;
}

/** A kind whose jobs are queued in the transaction of a change ({@link JOB_PAYLOADS}), and retried until `run` returns. */
export function defineQueuedJob<Name extends QueuedJob>(kind: {
  name: Name;
  backoff: Backoff;
  timeoutSeconds: number;
  pollSeconds: number;
  concurrency: number;
  canRun(deps: JobDeps): boolean;
  run: (deps: JobDeps, payload: JobPayload<Name>) => Promise<unknown>;
}): JobKind {
  const { name, backoff, timeoutSeconds, run, ...rest } = kind;
  return {
    ...rest,
    name,
    everySeconds: null,
    queue: {
      // At most one unfinished job per key.
      policy: 'exclusive',
      retryLimit: UNLIMITED_RETRIES,
      retryBackoff: true,
      retryDelay: backoff.firstSeconds,
      retryDelayMax: backoff.maxSeconds,
      expireInSeconds: timeoutSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retentionSeconds: FOREVER_SECONDS,
      deleteAfterSeconds: DAY_SECONDS,
    },
    run: async (deps, data) => run(deps, JOB_PAYLOADS[name].parse(data) as JobPayload<Name>),
  };
}

/** A kind that runs at an interval, once for all consoles. A run that fails is not retried: the next one does its work. */
export function defineScheduledJob(kind: {
  name: string;
  everySeconds: number;
  timeoutSeconds: number;
  hasWork?: JobKind['hasWork'];
  canRun?: JobKind['canRun'];
  run: (deps: JobDeps) => Promise<unknown>;
}): JobKind {
  const { name, everySeconds, timeoutSeconds, hasWork, canRun = () => true, run } = kind;
  return {
    name,
    everySeconds,
    hasWork,
    pollSeconds: SCHEDULED_POLL_SECONDS,
    concurrency: 1,
    queue: {
      // At most one waiting job.
      policy: 'short',
      retryLimit: 0,
      expireInSeconds: timeoutSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retentionSeconds: DAY_SECONDS,
      // A finished job keeps its interval occupied.
      deleteAfterSeconds: Math.max(3600, 2 * everySeconds),
    },
    canRun,
    run,
  };
}
