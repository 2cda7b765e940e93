import { LATENCY_BOUNDS_MS } from '@tollgate/core/requests/latency';
import { sql, type SQL } from 'drizzle-orm';
import { usageAccountHourly, usageKeyDaily, usageLateHours } from '../../../schema/usage-rolls.ts';
import type { Connection } from '../../../transaction.ts';

const DAY_MS = 86_400_000;

const SUMMED = sql.raw(
  [
    'requests',
    'errors',
    'input_tokens',
    'cache_read_tokens',
    'cache_write_tokens',
    'cache_write_1h_tokens',
    'output_tokens',
    'cost_nano_usd',
    'latency_counts',
    'first_byte_counts',
  ].join(', '),
);

/** Element by element. */
function sumCounts(column: string): SQL {
  const sums = Array.from(LATENCY_BOUNDS_MS.concat(0), (_, index) => `sum(${column}[${index + 1}])::integer`);
  return sql.raw(`ARRAY[${sums.join(', ')}]`);
}
const SUMS = sql`sum(requests), sum(errors), sum(input_tokens), sum(cache_read_tokens), sum(cache_write_tokens),
  sum(cache_write_1h_tokens), sum(output_tokens), sum(cost_nano_usd), ${sumCounts('latency_counts')},
  ${sumCounts('first_byte_counts')}`;

/** The UTC day of a moment. */
export function getDay(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);
}

/** Rolls up hours for the first time. What of them is not in the ledger is left to be done again. */
export async function rollHours(tx: Connection, from: Date, to: Date): Promise<void> {
  const isOfThem = sql`hour >= ${from.toISOString()}::timestamptz AND hour < ${to.toISOString()}::timestamptz`;
  // Before the hours are read: writes after this line mark their hours anew.
  await tx.drizzle.execute(sql`DELETE FROM usage_late_hours WHERE ${isOfThem}`);
  await tx.drizzle.execute(insertHours(sql`usage_hourly WHERE ${isOfThem}`));
  await tx.drizzle.execute(sql`
    INSERT INTO ${usageLateHours} SELECT DISTINCT account_id, key_id, hour FROM usage_hourly
    WHERE ${isOfThem} AND charged_nano_usd <> posted_nano_usd`);
}

/** Rolls up whole days for the first time. */
export async function rollDays(tx: Connection, from: Date, to: Date): Promise<void> {
  await tx.drizzle.execute(
    insertDays(sql`usage_hourly
      WHERE hour >= ${from.toISOString()}::timestamptz AND hour < ${to.toISOString()}::timestamptz`),
  );
}

/** @param source rows of `usage_hourly`: `usage_hourly WHERE …` */
export function insertHours(source: SQL): SQL {
  return sql`
    INSERT INTO ${usageAccountHourly} (account_id, hour, model, ${SUMMED})
    SELECT account_id, hour, model, ${SUMS} FROM ${source} GROUP BY account_id, hour, model`;
}

/** As {@link insertHours}, of whole days. */
export function insertDays(source: SQL): SQL {
  return sql`
    INSERT INTO ${usageKeyDaily} (account_id, day, key_id, model, ${SUMMED})
    SELECT account_id, date_trunc('day', hour, 'UTC'), key_id, model, ${SUMS} FROM ${source} GROUP BY 1, 2, 3, 4`;
}
