import type postgres from 'postgres';
import { toPlainArray, toTextArray, type PlainValue } from '../../array-text.ts';

/** The stored part of a payload, sealed. */
export interface SealedBody {
  sealed: Buffer;
  /** Of the whole payload as received. */
  bytes: number;
  isTruncated: boolean;
}

export interface SealedBodies {
  accountId: string;
  requestId: string;
  startedAtMs: number;
  request: SealedBody;
  /** null: the caller was given nothing. */
  answer: SealedBody | null;
}

/**
 * Stores payloads only for accounts that log requests now, and did when the request began. The accounts are locked
 * meanwhile: turning logging off waits, and then finds all that was stored. A repeated insert is ignored.
 */
export async function insertBodies(sql: postgres.ISql, rows: readonly SealedBodies[]): Promise<void> {
  const texts = (read: (row: SealedBodies) => string | null) => toTextArray(rows.map(read));
  const values = (read: (row: SealedBodies) => PlainValue) => toPlainArray(rows.map(read));
  await sql`
    WITH keeping AS (
      SELECT id, bodies_kept_since AS since FROM accounts
      WHERE id = ANY (${texts((row) => row.accountId)}::text::text[]) AND bodies_kept_since IS NOT NULL
      ORDER BY id FOR SHARE
    )
    INSERT INTO request_bodies (account_id, request_id, started_at, request_sealed, request_bytes, request_truncated,
      answer_sealed, answer_bytes, answer_truncated)
    SELECT account_id, request_id, to_timestamp(started_ms / 1000.0), decode(request, 'base64'), request_bytes,
      request_truncated, decode(answer, 'base64'), answer_bytes, answer_truncated
    FROM unnest(
      ${texts((row) => row.accountId)}::text::text[], ${texts((row) => row.requestId)}::text::text[],
      ${values((row) => row.startedAtMs)}::text::bigint[],
      ${texts((row) => row.request.sealed.toString('base64'))}::text::text[],
      ${values((row) => row.request.bytes)}::text::integer[],
      ${values((row) => row.request.isTruncated)}::text::boolean[],
      ${texts((row) => row.answer?.sealed.toString('base64') ?? null)}::text::text[],
      ${values((row) => row.answer?.bytes ?? 0)}::text::integer[],
      ${values((row) => row.answer?.isTruncated ?? false)}::text::boolean[]
    ) AS asked (account_id, request_id, started_ms, request, request_bytes, request_truncated,
      answer, answer_bytes, answer_truncated)
    JOIN keeping ON keeping.id = account_id AND keeping.since <= to_timestamp(started_ms / 1000.0)
    ON CONFLICT DO NOTHING`;
}
