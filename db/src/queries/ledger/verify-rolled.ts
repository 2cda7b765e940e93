import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import { listViolations, type ViolationRow } from './verify-checks.ts';

const FIGURES = sql.raw(
  ['requests', 'errors', 'input_tokens', 'cache_read_tokens', 'cache_write_tokens', 'cache_write_1h_tokens']
    .concat('output_tokens', 'cost_nano_usd')
    .map((column) => `sum(${column})`)
    .join(', '),
);
/** How many times are counted; in the roll-up of an hour and in what it is made of. */
const TIMES = sql`sum((SELECT sum(n) FROM unnest(latency_counts) AS n)),
  sum((SELECT sum(n) FROM unnest(first_byte_counts) AS n))`;
const name = (moment: string) => sql.raw(`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')`);

/** Verifies sums of usage by the hour, except hours marked to be summed again, and that unmarked hours are in the ledger. */
export async function findRolledViolations(tx: Connection): Promise<ViolationRow[]> {
  return listViolations(
    tx,
    sql`
    settled AS MATERIALIZED (
      SELECT u.*, (SELECT until FROM usage_rolled) AS until FROM usage_hourly u
      WHERE u.hour < (SELECT until FROM usage_rolled)
    ), places AS (
      SELECT account_id, concat_ws(' ', account_id, ${name('hour')}, nullif(model, '')) AS subject, hour AS first,
        hour + interval '1 hour' AS last, NULL::text AS key_id, concat_ws(' ', ${FIGURES}, ${TIMES}) AS expected,
        NULL AS actual
      FROM settled GROUP BY account_id, hour, model
      UNION ALL
      SELECT account_id, concat_ws(' ', account_id, ${name('hour')}, nullif(model, '')), hour,
        hour + interval '1 hour', NULL, NULL, concat_ws(' ', ${FIGURES}, ${TIMES})
      FROM usage_account_hourly GROUP BY account_id, hour, model
      UNION ALL
      SELECT account_id, concat_ws(' ', key_id, ${name(`date_trunc('day', hour, 'UTC')`)}, 'day', nullif(model, '')),
        date_trunc('day', hour, 'UTC'), date_trunc('day', hour, 'UTC') + interval '24 hours', key_id,
        concat_ws(' ', ${FIGURES}, ${TIMES}), NULL
      FROM settled WHERE date_trunc('day', hour, 'UTC') < date_trunc('day', until, 'UTC')
      GROUP BY account_id, key_id, date_trunc('day', hour, 'UTC'), model
      UNION ALL
      SELECT account_id, concat_ws(' ', key_id, ${name('day')}, 'day', nullif(model, '')), day,
        day + interval '24 hours', key_id, NULL, concat_ws(' ', ${FIGURES}, ${TIMES})
      FROM usage_key_daily GROUP BY account_id, key_id, day, model
      UNION ALL
      SELECT account_id, concat_ws(' ', key_id, ${name('hour')}, 'not posted'), hour, hour + interval '1 hour', key_id,
        '0', (charged_nano_usd - posted_nano_usd)::text
      FROM settled WHERE charged_nano_usd <> posted_nano_usd
    ), violations AS (
      SELECT 'usage_rolled' AS check, p.subject, coalesce(max(p.expected), 'nothing') AS expected,
        coalesce(max(p.actual), 'nothing') AS actual
      FROM places p
      WHERE NOT EXISTS (
        SELECT FROM usage_late_hours l
        WHERE l.account_id = p.account_id AND l.hour >= p.first AND l.hour < p.last
          AND (p.key_id IS NULL OR l.key_id = p.key_id))
      GROUP BY p.subject HAVING max(p.expected) IS DISTINCT FROM max(p.actual)
    )`,
  );
}
