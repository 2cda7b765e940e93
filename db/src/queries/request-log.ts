import type { Database } from '../client.ts';

/** One try of a request at one provider. */
export interface AttemptRecord {
  /** The route's id. */
  route: string;
  provider: string;
  upstreamModel: string;
  /** `answered`, or why not: `timeout`, `cut`, `status_529`. */
  outcome: string;
  /** The provider's HTTP status; null: there was none, or it was fine and what followed was not. */
  status: number | null;
  durationMs: number;
}

/** One request of an authenticated key, when it is over. Counts are whole, from 0 to 2^31−1. */
export interface RequestRecord {
  id: string;
  startedAtMs: number;
  accountId: string;
  keyId: string;
  endpoint: string;
  model: string | null;
  provider: string | null;
  upstreamModel: string | null;
  /** The route that was asked last; null: none was. */
  routeId: string | null;
  /** In order, where it took more than one or failed; null: the first one asked gave the answer. */
  attempts: readonly AttemptRecord[] | null;
  streamed: boolean;
  status: number;
  errorCode: string | null;
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  estimated: boolean;
  priceId: number | null;
  costNanoUsd: bigint;
  latencyMs: number;
  firstByteMs: number | null;
}

/** What a key has spent in all, as of a commit. */
export interface KeySpend {
  keyId: string;
  spentNanoUsd: bigint;
}

/**
 * Writes a batch of requests together with the totals of their keys and the hourly usage, in one statement.
 * A record whose id was written before is skipped with everything that hangs on it, so a batch can be sent again.
 * @returns the totals of every key in the batch whose row was new
 */
export async function recordRequests(db: Database, batch: readonly RequestRecord[]): Promise<KeySpend[]> {
  const texts = (read: (record: RequestRecord) => string | null) => toTextArray(batch.map(read));
  const values = (read: (record: RequestRecord) => Plain) => toPlainArray(batch.map(read));
  return db.sql<KeySpend[]>`
    WITH input AS (
      -- A column at a time: the server reads arrays in a fraction of the time that JSON takes.
      SELECT to_timestamp(started_at_ms / 1000.0) AS started_at, r.* FROM unnest(
        ${texts((r) => r.id)}::text::text[], ${values((r) => r.startedAtMs)}::text::bigint[],
        ${texts((r) => r.accountId)}::text::text[], ${texts((r) => r.keyId)}::text::text[],
        ${texts((r) => r.endpoint)}::text::text[], ${texts((r) => r.model)}::text::text[],
        ${texts((r) => r.provider)}::text::text[], ${texts((r) => r.upstreamModel)}::text::text[],
        ${values((r) => r.streamed)}::text::boolean[], ${values((r) => r.status)}::text::integer[],
        ${texts((r) => r.errorCode)}::text::text[], ${values((r) => r.inputTokens)}::text::integer[],
        ${values((r) => r.cacheReadTokens)}::text::integer[], ${values((r) => r.cacheWriteTokens)}::text::integer[],
        ${values((r) => r.outputTokens)}::text::integer[], ${values((r) => r.estimated)}::text::boolean[],
        ${values((r) => r.priceId)}::text::bigint[], ${values((r) => r.costNanoUsd)}::text::bigint[],
        ${values((r) => r.latencyMs)}::text::integer[], ${values((r) => r.firstByteMs)}::text::integer[],
        ${texts((r) => r.routeId)}::text::text[],
        ${texts((r) => (r.attempts === null ? null : JSON.stringify(r.attempts)))}::text::text[]
      ) AS r(id, started_at_ms, account_id, key_id, endpoint, model, provider, upstream_model, streamed, status,
        error_code, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, estimated, price_id,
        cost_nano_usd, latency_ms, first_byte_ms, route_id, attempts)
    ), inserted AS (
      INSERT INTO requests (
        id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, streamed, state, status,
        error_code, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, estimated, price_id,
        cost_nano_usd, latency_ms, first_byte_ms, route_id, attempts)
      SELECT
        id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, streamed, 'settled', status,
        error_code, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, estimated, price_id,
        cost_nano_usd, latency_ms, first_byte_ms, route_id, attempts::jsonb
      FROM input
      ON CONFLICT DO NOTHING
      RETURNING *
    ), locked AS (
      -- In one order on every replica, so that two batches never wait for each other.
      SELECT key_id FROM key_totals WHERE key_id IN (SELECT key_id FROM input) ORDER BY key_id FOR UPDATE
    ), hourly AS (
      INSERT INTO usage_hourly AS usage (
        hour, account_id, key_id, model, requests, errors, input_tokens, cache_read_tokens, cache_write_tokens,
        output_tokens, cost_nano_usd)
      SELECT
        date_trunc('hour', started_at, 'UTC'), account_id, key_id, coalesce(model, ''), count(*),
        count(*) FILTER (WHERE error_code IS NOT NULL AND error_code <> 'client_gone'), sum(input_tokens), sum(cache_read_tokens), sum(cache_write_tokens),
        sum(output_tokens), sum(cost_nano_usd)
      FROM inserted
      GROUP BY 1, 2, 3, 4
      ORDER BY 3, 1, 4
      ON CONFLICT (key_id, hour, model) DO UPDATE SET
        requests = usage.requests + excluded.requests,
        errors = usage.errors + excluded.errors,
        input_tokens = usage.input_tokens + excluded.input_tokens,
        cache_read_tokens = usage.cache_read_tokens + excluded.cache_read_tokens,
        cache_write_tokens = usage.cache_write_tokens + excluded.cache_write_tokens,
        output_tokens = usage.output_tokens + excluded.output_tokens,
        cost_nano_usd = usage.cost_nano_usd + excluded.cost_nano_usd
    )
    UPDATE key_totals AS totals SET
      spent_nano_usd = totals.spent_nano_usd + sums.cost,
      last_used_at = greatest(totals.last_used_at, sums.last_used_at)
    FROM (
      SELECT key_id, sum(cost_nano_usd)::bigint AS cost, max(started_at) AS last_used_at FROM inserted GROUP BY key_id
    ) AS sums
    JOIN locked USING (key_id)
    WHERE totals.key_id = sums.key_id
    RETURNING totals.key_id AS "keyId", totals.spent_nano_usd AS "spentNanoUsd"`;
}

/** Makes sure that the months to come have their partition of `requests`. */
export async function ensureRequestPartitions(db: Database, monthsAhead: number): Promise<void> {
  await db.sql`SELECT ensure_request_partitions(${monthsAhead})`;
}

const UNSAFE = /["\\]/;

type Plain = number | bigint | boolean | null;

/** An array of PostgreSQL as text: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function toPlainArray(values: readonly Plain[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

function toTextArray(values: readonly (string | null)[]): string {
  // Nearly no text holds a character that must be escaped.
  const quote = (text: string) => `"${UNSAFE.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
  return `{${values.map((value) => (value === null ? 'NULL' : quote(value))).join(',')}}`;
}
