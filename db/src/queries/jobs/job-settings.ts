import { sql } from 'drizzle-orm';

/** Columns of a new job that it gets from its queue, as from pg-boss; `keep_until` is computed. */
export const JOB_SETTINGS = sql.raw(
  'policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds',
);

/** How long a job may wait, from its queue. */
export const KEEP_UNTIL = sql.raw("now() + retention_seconds * interval '1 s'");

/** Every console listens to it, and looks for jobs of the kind that the payload names. */
export const JOB_CHANNEL = 'tollgate_jobs';
