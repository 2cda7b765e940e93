import { lt, sql, type SQL } from 'drizzle-orm';
import { providerMinutes, unsummedRequests } from '../../../schema/provider-usage.ts';
import type { Connection } from '../../../transaction.ts';

/** Requests per statement: some tenths of a second. */
const AT_ONCE = 20_000;
const KEEP_MINUTES_MS = 2 * 3_600_000;

/** Whether settled requests wait for {@link sumRequests}. */
export function hasUnsummed(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${unsummedRequests})`;
}

/**
 * Adds settled requests to the sums by provider and account, notes the IDs that providers gave them, and deletes old minutes. Each request is added once,
 * whichever process does it.
 */
export async function sumRequests(db: Connection, nowMs: number): Promise<void> {
  let taken: number;
  do {
    const [row] = await db.drizzle.execute<{ taken: number }>(SUM);
    taken = row?.taken ?? 0;
  } while (taken === AT_ONCE);
  await db.drizzle
    .delete(providerMinutes)
    .where(lt(providerMinutes.minute, new Date(nowMs - KEEP_MINUTES_MS)));
}

/** Removes the multiplier of plans, as `withoutMultiplier`. */
const list = (amount: string) =>
  `CASE WHEN price_ppm > 0 THEN div((${amount})::numeric * 1000000, price_ppm)::bigint ELSE ${amount} END`;

/**
 * What the provider bills the operator for. The unbilled cost is the rest above the hold, which the reported cost includes,
 * or the cost of attempts before, which it does not.
 */
const PROVIDER_COST = `CASE WHEN own_credential THEN 0
  WHEN attempts IS NULL THEN coalesce(reported_cost_nano_usd, ${list('cost_nano_usd + operator_cost_nano_usd')})
  ELSE coalesce(reported_cost_nano_usd, ${list('cost_nano_usd')}) + operator_cost_nano_usd END`;

/** The same requests as in `listCostDrift`. */
const IS_COMPARED = `reported_cost_nano_usd IS NOT NULL AND price_ppm > 0 AND is_exact AND NOT own_credential
  AND (operator_cost_nano_usd = 0 OR attempts IS NULL)`;

// A request without a list of attempts was answered, or failed, at its provider. Other outcomes of attempts are failures.
const SUM = sql.raw(`
  WITH taken AS (
    DELETE FROM unsummed_requests
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM unsummed_requests LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED))
    RETURNING *, (error_code IS NOT NULL AND error_code <> 'client_gone')::int AS failed
  ), hourly AS (
    INSERT INTO provider_hourly AS sums (hour, provider, model, requests, errors, charged_nano_usd,
      provider_cost_nano_usd, reported_nano_usd, computed_nano_usd, latency_counts, first_byte_counts)
    SELECT date_trunc('hour', started_at, 'UTC'), coalesce(provider, ''), coalesce(model, ''), sum(change),
      sum(failed * change), coalesce(sum(cost_nano_usd * change) FILTER (WHERE charges_balance), 0),
      sum((${PROVIDER_COST}) * change),
      coalesce(sum(reported_cost_nano_usd * change) FILTER (WHERE ${IS_COMPARED}), 0),
      coalesce(sum((${list('cost_nano_usd + operator_cost_nano_usd')}) * change) FILTER (WHERE ${IS_COMPARED}), 0),
      count_times(CASE WHEN error_code IS NULL THEN latency_ms END, change), count_times(first_byte_ms, change)
    FROM taken GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (hour, provider, model) DO UPDATE SET
      requests = sums.requests + excluded.requests, errors = sums.errors + excluded.errors,
      charged_nano_usd = sums.charged_nano_usd + excluded.charged_nano_usd,
      provider_cost_nano_usd = sums.provider_cost_nano_usd + excluded.provider_cost_nano_usd,
      reported_nano_usd = sums.reported_nano_usd + excluded.reported_nano_usd,
      computed_nano_usd = sums.computed_nano_usd + excluded.computed_nano_usd,
      latency_counts = add_counts(sums.latency_counts, excluded.latency_counts),
      first_byte_counts = add_counts(sums.first_byte_counts, excluded.first_byte_counts)
  ), daily AS (
    INSERT INTO account_daily AS sums (day, account_id, requests, errors, charged_nano_usd)
    SELECT date_trunc('day', started_at, 'UTC'), account_id, sum(change), sum(failed * change),
      coalesce(sum(cost_nano_usd * change) FILTER (WHERE charges_balance), 0)
    FROM taken GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (day, account_id) DO UPDATE SET
      requests = sums.requests + excluded.requests, errors = sums.errors + excluded.errors,
      charged_nano_usd = sums.charged_nano_usd + excluded.charged_nano_usd
  ), tries AS (
    SELECT started_at, change, provider,
      coalesce(error_code LIKE 'upstream\\_%' AND error_code <> 'upstream_rejected', false) AS failed,
      error_code IS NULL AS answered, NULL AS message
    FROM taken WHERE attempts IS NULL AND provider IS NOT NULL AND NOT own_credential
    UNION ALL
    SELECT t.started_at, t.change, a->>'provider',
      a->>'outcome' NOT IN ('answered', 'continued', 'too_large', 'no_memory')
        AND a->>'why' IS DISTINCT FROM 'request_refused',
      a->>'outcome' IN ('answered', 'continued'), a->>'message'
    FROM taken t CROSS JOIN LATERAL jsonb_array_elements(
      CASE WHEN jsonb_typeof(t.attempts) = 'array' THEN t.attempts ELSE '[]' END) a
    WHERE a->'own' IS NULL AND a->>'provider' IS NOT NULL
  ), given AS (
    INSERT INTO provider_request_ids (provider_request_id, request_id, started_at)
    SELECT provider_request_id, request_id, started_at FROM taken
    WHERE request_id IS NOT NULL AND provider_request_id IS NOT NULL
    UNION
    SELECT a->>'requestId', t.request_id, t.started_at
    FROM taken t CROSS JOIN LATERAL jsonb_array_elements(
      CASE WHEN jsonb_typeof(t.attempts) = 'array' THEN t.attempts ELSE '[]' END) a
    WHERE t.request_id IS NOT NULL AND a->>'requestId' IS NOT NULL
    ON CONFLICT DO NOTHING
  ), minutely AS (
    INSERT INTO provider_minutes AS sums (minute, provider, calls, failures, last_failure_at, last_answer_at,
      last_message, last_message_at)
    SELECT date_trunc('minute', started_at), provider, sum(change), coalesce(sum(change) FILTER (WHERE failed), 0),
      max(started_at) FILTER (WHERE failed), max(started_at) FILTER (WHERE answered),
      (array_agg(message ORDER BY started_at DESC) FILTER (WHERE message IS NOT NULL))[1],
      max(started_at) FILTER (WHERE message IS NOT NULL)
    FROM tries WHERE started_at >= now() - interval '${KEEP_MINUTES_MS / 1000} seconds'
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (minute, provider) DO UPDATE SET
      calls = sums.calls + excluded.calls, failures = sums.failures + excluded.failures,
      last_failure_at = greatest(sums.last_failure_at, excluded.last_failure_at),
      last_answer_at = greatest(sums.last_answer_at, excluded.last_answer_at),
      last_message = CASE WHEN excluded.last_message_at >= coalesce(sums.last_message_at, '-infinity')
        THEN excluded.last_message ELSE sums.last_message END,
      last_message_at = greatest(sums.last_message_at, excluded.last_message_at)
  )
  SELECT count(*)::int AS taken FROM taken`);
