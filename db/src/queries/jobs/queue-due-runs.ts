import { sql, type SQL } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import { JOB_SETTINGS, KEEP_UNTIL } from './job-settings.ts';

export interface DueRun {
  /** Kind of the scheduled job. */
  name: string;
  everySeconds: number;
  /** False: there is nothing to do, and no run is queued. */
  hasWork?: SQL | undefined;
}

/**
 * Queues one run per interval of each kind, whichever process asks first. Intervals begin at multiples of their length,
 * as with the `singletonSeconds` of pg-boss.
 * @returns the kinds of which a run waits now, also one that a process queued and did not take
 */
export async function queueDueRuns(db: Connection, runs: readonly DueRun[]): Promise<string[]> {
  if (runs.length === 0) return [];
  const due = runs.map(
    ({ name, everySeconds, hasWork = sql`true` }) =>
      sql`SELECT ${name}::text AS name, ${everySeconds}::int AS every_seconds WHERE ${hasWork}`,
  );
  const rows = await db.drizzle.execute<{ name: string }>(sql`
    WITH due AS (${sql.join(due, sql` UNION ALL `)}),
    queued AS (
      INSERT INTO tollgate_jobs.job (name, data, singleton_on, keep_until, ${JOB_SETTINGS})
      SELECT name, '{}', 'epoch'::timestamp
          + interval '1 s' * (every_seconds * floor(extract(epoch FROM now())::float8 / every_seconds)),
        ${KEEP_UNTIL}, ${JOB_SETTINGS}
      FROM due JOIN tollgate_jobs.queue USING (name)
      ON CONFLICT DO NOTHING RETURNING name
    )
    SELECT name FROM queued
    UNION SELECT name FROM tollgate_jobs.job JOIN due USING (name) WHERE state = 'created' AND start_after <= now()`);
  return rows.map(({ name }) => name);
}
