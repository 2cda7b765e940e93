import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import { listViolations, type ViolationRow } from './verify-checks.ts';

/**
 * Everything that is a sum over requests, from one pass over them: usage by the hour, what keys have spent and hold,
 * what balances hold.
 */
export async function findSumViolations(tx: Connection): Promise<ViolationRow[]> {
  return listViolations(
    tx,
    sql`
    by_hour AS MATERIALIZED (
      SELECT
        key_id, account_id, date_trunc('hour', started_at, 'UTC') AS hour, coalesce(model, '') AS model,
        count(*) FILTER (WHERE state = 'settled') AS requests,
        count(*) FILTER (WHERE state = 'settled' AND error_code <> 'client_gone') AS errors,
        coalesce(sum(input_tokens) FILTER (WHERE state = 'settled'), 0) AS input,
        coalesce(sum(cache_read_tokens) FILTER (WHERE state = 'settled'), 0) AS cache_read,
        coalesce(sum(cache_write_tokens) FILTER (WHERE state = 'settled'), 0) AS cache_write,
        coalesce(sum(cache_write_1h_tokens) FILTER (WHERE state = 'settled'), 0) AS cache_write_1h,
        coalesce(sum(output_tokens) FILTER (WHERE state = 'settled'), 0) AS output,
        coalesce(sum(cost_nano_usd) FILTER (WHERE state = 'settled'), 0) AS cost,
        coalesce(sum(operator_cost_nano_usd) FILTER (WHERE state = 'settled'), 0) AS operator_cost,
        coalesce(sum(cost_nano_usd) FILTER (WHERE state = 'settled' AND charges_balance), 0) AS charged,
        count(*) FILTER (WHERE state = 'settled' AND error_code IS NULL) AS answered,
        count(first_byte_ms) FILTER (WHERE state = 'settled') AS begun,
        coalesce(sum(held_nano_usd) FILTER (WHERE state = 'held'), 0) AS held,
        coalesce(sum(held_nano_usd) FILTER (WHERE state = 'held' AND charges_balance), 0) AS wallet_held
      FROM requests
      GROUP BY 1, 2, 3, 4
    ), by_key AS MATERIALIZED (
      SELECT key_id, sum(cost) AS cost, sum(held) AS held FROM by_hour GROUP BY key_id
    ), keys AS (
      SELECT
        coalesce(t.key_id, b.key_id) AS key_id,
        coalesce(t.spent_nano_usd, 0) AS spent, coalesce(t.held_nano_usd, 0) AS held,
        coalesce(b.cost, 0) + coalesce(t.carried_nano_usd, 0) AS cost, coalesce(b.held, 0) AS requests_held
      FROM key_totals t FULL JOIN by_key b ON b.key_id = t.key_id
    ), wallets AS (
      SELECT a.id AS account_id, coalesce(b.held_nano_usd, 0) AS held, coalesce(r.held, 0) AS requests_held
      FROM accounts a
      LEFT JOIN balances b ON b.account_id = a.id
      LEFT JOIN (SELECT account_id, sum(wallet_held) AS held FROM by_hour GROUP BY account_id) AS r
        ON r.account_id = a.id
    ), hours AS (
      SELECT
        concat_ws(' ', coalesce(u.key_id, b.key_id),
          to_char(coalesce(u.hour, b.hour) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"'),
          nullif(coalesce(u.model, b.model), '')) AS subject,
        c.*
      FROM (
        SELECT h.*, (SELECT sum(n) FROM unnest(h.latency_counts) AS n) AS latencies,
          (SELECT sum(n) FROM unnest(h.first_byte_counts) AS n) AS first_bytes
        FROM usage_hourly h
      ) AS u
      FULL JOIN by_hour b
        ON b.key_id = u.key_id AND b.hour = u.hour AND b.model = u.model AND b.account_id = u.account_id
      CROSS JOIN LATERAL (VALUES
        ('requests', u.requests, b.requests), ('errors', u.errors, b.errors),
        ('input_tokens', u.input_tokens, b.input), ('cache_read_tokens', u.cache_read_tokens, b.cache_read),
        ('cache_write_tokens', u.cache_write_tokens, b.cache_write),
        ('cache_write_1h_tokens', u.cache_write_1h_tokens, b.cache_write_1h),
        ('output_tokens', u.output_tokens, b.output), ('cost_nano_usd', u.cost_nano_usd, b.cost),
        ('operator_cost_nano_usd', u.operator_cost_nano_usd, b.operator_cost),
        ('charged_nano_usd', u.charged_nano_usd, b.charged), ('latency_counts', u.latencies, b.answered),
        ('first_byte_counts', u.first_bytes, b.begun)
      ) AS c(name, counted, due)
      -- First whether anything differs at all: that spares nearly every row the list of its columns.
      WHERE (u.requests, u.errors, u.input_tokens, u.cache_read_tokens, u.cache_write_tokens, u.cache_write_1h_tokens,
          u.output_tokens, u.cost_nano_usd, u.operator_cost_nano_usd, u.charged_nano_usd, u.latencies, u.first_bytes)
        IS DISTINCT FROM (b.requests, b.errors, b.input, b.cache_read, b.cache_write, b.cache_write_1h, b.output,
          b.cost, b.operator_cost, b.charged, b.answered, b.begun)
        AND coalesce(c.counted, 0) <> coalesce(c.due, 0)
    ), violations AS (
      SELECT 'key_spent' AS check, key_id AS subject, cost::text AS expected, spent::text AS actual
      FROM keys WHERE spent <> cost
      UNION ALL
      SELECT 'key_held', key_id, requests_held::text, held::text FROM keys WHERE held <> requests_held
      UNION ALL
      SELECT 'key_budget', k.id, 'at most ' || k.max_budget_nano_usd, (t.spent_nano_usd + t.held_nano_usd)::text
      FROM api_keys k JOIN key_totals t ON t.key_id = k.id
      WHERE t.spent_nano_usd + t.held_nano_usd > k.max_budget_nano_usd
      UNION ALL
      SELECT 'key_account', b.key_id, coalesce(k.account_id, 'no such key'), b.account_id
      FROM (SELECT DISTINCT key_id, account_id FROM by_hour) AS b LEFT JOIN api_keys k ON k.id = b.key_id
      WHERE k.account_id IS DISTINCT FROM b.account_id
      UNION ALL
      SELECT 'balance_held', account_id, requests_held::text, held::text FROM wallets WHERE held <> requests_held
      UNION ALL
      SELECT 'usage_hourly', subject || ': ' || name, coalesce(due, 0)::text, coalesce(counted, 0)::text FROM hours
    )`,
  );
}
