import { setTimeout as sleep } from 'node:timers/promises';
import { listenForJobs } from '@tollgate/db/queries/jobs/listen-for-jobs';
import { PgBoss, type Job, type JobResult, type QueueResult } from 'pg-boss';
import { describeError } from '../describe-error.ts';
import type { JobDeps, JobKind } from './job-kind.ts';
import { createQueueDatabase } from './queue-database.ts';
import { createQueueLog, type QueueLog } from './queue-log.ts';
import { startScheduler } from './scheduler.ts';

export interface Jobs {
  /** Runs the waiting jobs of a kind now: one was queued. */
  wake(name: string): void;
  /** Takes no more jobs, and ends after the running ones, in at most 20 s. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  /** Interval between checks for jobs whose process was killed. */
  superviseSeconds?: number;
  /** Limit of `stop`, in ms. */
  stopLimitMs?: number;
}

const SUPERVISE_SECONDS = 30;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Time for running jobs when the process stops. Another process runs those again that take longer. */
const STOP_LIMIT_MS = 20_000;
/** The part of it that is left for the statements about jobs that did not end. */
const LAST_STATEMENTS_MS = 1_000;

/**
 * Runs the jobs of `kinds`. Any number of processes can do this on one database: each job runs in one of them, and in
 * another one if that process is killed.
 */
export async function startJobs(
  deps: JobDeps,
  kinds: readonly JobKind[],
  options: JobsOptions = {},
): Promise<Jobs> {
  const queueLog = createQueueLog(deps.log);
  const boss = createBoss(deps, queueLog, options.superviseSeconds ?? SUPERVISE_SECONDS);
  const workers = new Map<string, string>();
  let stopListening = async () => {};
  let stopScheduler = async () => {};
  const wake = (name: string) => {
    const worker = workers.get(name);
    if (worker !== undefined) boss.notifyWorker(worker);
  };
  const stopLimitMs = options.stopLimitMs ?? STOP_LIMIT_MS;
  const stop = async () => {
    workers.clear();
    const stopping = Promise.all([
      stopScheduler(),
      stopListening(),
      boss.stop({ graceful: true, timeout: stopLimitMs - LAST_STATEMENTS_MS }),
    ]);
    // A statement that waits for a lock or a lost server may never end.
    await Promise.race([stopping, sleep(stopLimitMs, undefined, { ref: false })]);
  };
  try {
    await boss.start();
    await syncQueues(boss, kinds);
    const ours = kinds.filter((one) => one.canRun(deps));
    for (const kind of ours) workers.set(kind.name, await startWorker(boss, deps, kind));
    const onConnected = () => {
      for (const name of workers.keys()) wake(name);
    };
    stopListening = await listenForJobs(deps.db, { onJob: wake, onConnected });
    stopScheduler = startScheduler(deps, ours, { wake, onError: queueLog.failed });
  } catch (error) {
    await stop();
    throw error;
  }
  return { wake, stop };
}

function createBoss(deps: JobDeps, queueLog: QueueLog, superviseSeconds: number): PgBoss {
  const boss = new PgBoss({
    db: createQueueDatabase(deps.db, queueLog.succeeded),
    schema: 'tollgate_jobs',
    // Migrations create and upgrade the schema.
    migrate: false,
    createSchema: false,
    // Runs are queued by startJobs: the schedules of pg-boss have a resolution of a minute.
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: HOUR_SECONDS,
    queueCacheIntervalSeconds: HOUR_SECONDS,
    flowIntervalSeconds: DAY_SECONDS,
    registerInstance: false,
    openTelemetry: { enabled: false },
  });
  // While the database is down, statements fail; the queue continues when it is back.
  boss.on('error', queueLog.failed);
  boss.on('warning', ({ message }) => deps.log.warn({ warning: message }, 'warning of the job queue'));
  return boss;
}

/** Creates the queues of new kinds, and applies changed definitions. */
async function syncQueues(boss: PgBoss, kinds: readonly JobKind[]): Promise<void> {
  const existing = new Map(
    (await boss.getQueues(kinds.map(({ name }) => name))).map((one) => [one.name, one]),
  );
  for (const { name, queue } of kinds) {
    const found = existing.get(name);
    const { policy: _, ...settings } = queue;
    if (found === undefined) await boss.createQueue(name, queue);
    else if (!hasSettings(found, settings)) await boss.updateQueue(name, settings);
  }
}

function hasSettings(found: QueueResult, settings: object): boolean {
  const stored = new Map<string, unknown>(Object.entries(found));
  return Object.entries(settings).every(([name, value]) => stored.get(name) === value);
}

function startWorker(boss: PgBoss, deps: JobDeps, kind: JobKind): Promise<string> {
  const options = {
    batchSize: kind.concurrency,
    pollingIntervalSeconds: kind.pollSeconds,
    perJobResults: true,
  } as const;
  return boss.work(kind.name, options, async (jobs: Job[]) =>
    Promise.all(jobs.map((job) => runJob(deps, kind, job))),
  );
}

async function runJob(deps: JobDeps, kind: JobKind, job: Job): Promise<JobResult> {
  try {
    await kind.run(deps, job.data);
    return { id: job.id, status: 'completed' };
  } catch (error) {
    const described = describeError(error);
    deps.log.error(
      { job: kind.name, jobId: job.id, retries: job.retryCount, error: described },
      'job failed',
    );
    // Stored in the database: only data that may be logged.
    return { id: job.id, status: 'failed', output: { error: described.message } };
  }
}
