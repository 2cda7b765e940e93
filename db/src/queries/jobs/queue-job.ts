import type { JobPayload, QueuedJob } from '@tollgate/core/runtime/job-payloads';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import { JOB_CHANNEL, JOB_SETTINGS, KEEP_UNTIL } from './job-settings.ts';

/**
 * Queues a job in the transaction of the change that needs it, so that neither exists without the other, and notifies the
 * consoles. Does nothing while an unfinished job has the same key.
 */
export async function queueJob<Name extends QueuedJob>(
  tx: Connection,
  job: { name: Name; key: string; payload: JobPayload<Name> },
): Promise<void> {
  await tx.drizzle.execute(sql`
    WITH queued AS (
      INSERT INTO tollgate_jobs.job (name, data, singleton_key, keep_until, ${JOB_SETTINGS})
      SELECT name, ${JSON.stringify(job.payload)}::text::jsonb, ${job.key}, ${KEEP_UNTIL}, ${JOB_SETTINGS}
      FROM tollgate_jobs.queue WHERE name = ${job.name}
      ON CONFLICT DO NOTHING RETURNING name
    )
    SELECT pg_notify(${JOB_CHANNEL}, name) FROM queued`);
}

/** Makes a waiting job due now, whatever delay its last failure caused. Queues it if it does not exist. */
export async function queueJobNow<Name extends QueuedJob>(
  tx: Connection,
  job: { name: Name; key: string; payload: JobPayload<Name> },
): Promise<void> {
  await tx.drizzle.execute(sql`
    WITH due AS (
      UPDATE tollgate_jobs.job SET start_after = now()
      WHERE name = ${job.name} AND singleton_key = ${job.key} AND state IN ('created', 'retry') RETURNING name
    )
    SELECT pg_notify(${JOB_CHANNEL}, name) FROM due`);
  await queueJob(tx, job);
}
