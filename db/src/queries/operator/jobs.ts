import type { QueuedJob } from '@tollgate/core/runtime/job-payloads';
import { sql } from 'drizzle-orm';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { JOB_CHANNEL } from '../jobs/job-settings.ts';

/** `waiting`: due, or queued for later; `retrying`: its last attempt failed; `failed`: it is not retried automatically. */
export type JobState = 'waiting' | 'running' | 'retrying' | 'failed';

/** The jobs of one kind, by state. */
export interface JobCounts extends Record<JobState, number> {
  kind: string;
  /** null: none is stored any more. */
  lastCompletedAt: Date | null;
}

/** An unfinished or failed job. */
export interface JobRow {
  id: string;
  kind: string;
  state: JobState;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  /** null: it runs, or is not retried automatically. */
  dueAt: Date | null;
}

const JOBS_SHOWN = 50;

const STATE = sql`CASE j.state
  WHEN 'created' THEN 'waiting' WHEN 'active' THEN 'running' WHEN 'retry' THEN 'retrying' WHEN 'failed' THEN 'failed' END`;

export async function countJobs(db: Connection): Promise<JobCounts[]> {
  const rows = await db.drizzle.execute<{ [Name in keyof JobCounts]: JobCounts[Name] }>(sql`
    SELECT q.name AS kind,
      count(*) FILTER (WHERE j.state = 'created')::int AS waiting,
      count(*) FILTER (WHERE j.state = 'active')::int AS running,
      count(*) FILTER (WHERE j.state = 'retry')::int AS retrying,
      count(*) FILTER (WHERE j.state = 'failed')::int AS failed,
      max(j.completed_on) FILTER (WHERE j.state = 'completed') AS "lastCompletedAt"
    FROM tollgate_jobs.queue q LEFT JOIN tollgate_jobs.job j ON j.name = q.name
    GROUP BY q.name ORDER BY q.name`);
  return rows.map((row) => ({ ...row, lastCompletedAt: toDate(row.lastCompletedAt) }));
}

/**
 * Failed jobs first, then retried, running and waiting ones; the newest of each first.
 * @param without a kind that is not listed; null: none
 */
export async function listJobs(db: Connection, without: QueuedJob | null): Promise<JobRow[]> {
  const rows = await db.drizzle.execute<{ [Name in keyof JobRow]: JobRow[Name] }>(sql`
    SELECT j.id, j.name AS kind, ${STATE} AS state,
      j.retry_count + (j.state IN ('active', 'retry', 'failed'))::int AS attempts,
      j.output ->> 'error' AS "lastError", j.created_on AS "createdAt",
      CASE WHEN j.state IN ('created', 'retry') THEN j.start_after END AS "dueAt"
    FROM tollgate_jobs.job j
    WHERE j.state IN ('created', 'active', 'retry', 'failed')
      AND j.name IS DISTINCT FROM ${without}::text
    ORDER BY array_position(ARRAY['failed', 'retry', 'active', 'created'], j.state::text), j.created_on DESC
    LIMIT ${JOBS_SHOWN}`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt), dueAt: toDate(row.dueAt) }));
}

/**
 * Makes a job due now that waits, is retried later or has failed.
 * @returns false if it runs, has completed, or another job does the same
 */
export async function retryJob(db: Connection, input: { id: string; actorUserId: string }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // As `retry` of pg-boss: a failed job gets one more attempt.
    const rows = await tx.drizzle.execute<{ name: string }>(sql`
      WITH due AS (
        UPDATE tollgate_jobs.job j SET start_after = now(), completed_on = NULL,
          state = (CASE WHEN state = 'failed' THEN 'retry' ELSE state::text END)::tollgate_jobs.job_state,
          retry_limit = retry_limit + (state = 'failed')::int, keep_until = greatest(keep_until, now() + interval '1 day')
        WHERE id = ${input.id} AND state IN ('created', 'retry', 'failed')
          AND NOT (state = 'failed' AND policy = 'exclusive' AND EXISTS (SELECT FROM tollgate_jobs.job o
            WHERE o.name = j.name AND o.singleton_key = j.singleton_key AND o.state <= 'active'))
        RETURNING name
      )
      SELECT name, pg_notify(${JOB_CHANNEL}, name) FROM due`);
    if (rows.length === 0) return false;
    await recordAudit(tx, { actorUserId: input.actorUserId, action: 'job.retry', subject: input.id });
    return true;
  });
}

function toDate(value: Date | string | null): Date | null {
  return value === null ? null : new Date(value);
}
