import type { JobPayload, QueuedJob } from '@tollgate/core/runtime/job-payloads';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/**
 * Queues a job in the transaction of the change that needs it, so that neither exists without the other. Does nothing
 * while an unfinished job has the same key. The job gets the retries and time limits of its queue, as from pg-boss.
 */
export async function queueJob<Name extends QueuedJob>(
  tx: Connection,
  job: { name: Name; key: string; payload: JobPayload<Name> },
): Promise<void> {
  await tx.drizzle.execute(sql`
    INSERT INTO tollgate_jobs.job (name, data, singleton_key, policy, retry_limit, retry_delay, retry_backoff,
      retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds, keep_until)
    SELECT name, ${JSON.stringify(job.payload)}::text::jsonb, ${job.key}, policy, retry_limit, retry_delay, retry_backoff,
      retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds, now() + retention_seconds * interval '1 s'
    FROM tollgate_jobs.queue WHERE name = ${job.name}
    ON CONFLICT DO NOTHING`);
}

/** Makes a waiting job due now, whatever delay its last failure caused. Queues it if it does not exist. */
export async function queueJobNow<Name extends QueuedJob>(
  tx: Connection,
  job: { name: Name; key: string; payload: JobPayload<Name> },
): Promise<void> {
  await tx.drizzle.execute(sql`
    UPDATE tollgate_jobs.job SET start_after = now()
    WHERE name = ${job.name} AND singleton_key = ${job.key} AND state IN ('created', 'retry')`);
  await queueJob(tx, job);
}
