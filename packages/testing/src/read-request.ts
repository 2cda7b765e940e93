import type { Database } from '@tollgate/db/client';

/** The columns of `requests` that tests use. */
export interface RequestRow {
  keyId: string;
  status: number;
  errorCode: string | null;
  model: string | null;
  streamed: boolean;
  estimated: boolean;
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  cacheWrite1hTokens: number;
  outputTokens: number;
  costNanoUsd: bigint;
  latencyMs: number;
  firstByteMs: number | null;
  queueMs: number | null;
  holdMs: number | null;
  connectMs: number | null;
}

/** @returns undefined if the request is not recorded (yet) */
export async function readRequest(db: Database, requestId: string | null): Promise<RequestRow | undefined> {
  const [row] = await db.sql<RequestRow[]>`
    SELECT key_id AS "keyId", status, error_code AS "errorCode", model, streamed, estimated,
      input_tokens AS "inputTokens", cache_read_tokens AS "cacheReadTokens", cache_write_tokens AS "cacheWriteTokens",
      cache_write_1h_tokens AS "cacheWrite1hTokens", output_tokens AS "outputTokens", cost_nano_usd AS "costNanoUsd",
      latency_ms AS "latencyMs", first_byte_ms AS "firstByteMs", queue_ms AS "queueMs", hold_ms AS "holdMs",
      connect_ms AS "connectMs"
    FROM requests WHERE id = ${requestId}`;
  return row;
}
