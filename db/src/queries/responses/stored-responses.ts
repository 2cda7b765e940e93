import { and, eq, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { backgroundResponses } from '../../schema/background-responses.ts';
import { conversations } from '../../schema/conversations.ts';
import { storedResponses } from '../../schema/stored-responses.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { getRetentionCutoff } from '../retention/retention-setting.ts';
import { decodeBytes, passBytes, PIECE_BYTES } from './pass-bytes.ts';

/** A stored response and its input, both sealed. */
export interface SealedResponse {
  accountId: string;
  id: string;
  createdAt: Date;
  response: Buffer;
  input: Buffer;
  /** Decompressed, in bytes. */
  responseSize: number;
  inputSize: number;
}

/** What is known of a stored response before it is read. */
export interface ResponseFacts {
  /** Decompressed, in bytes. */
  responseSize: number;
  inputSize: number;
  /** It runs in the background and has not ended. */
  isRunning: boolean;
}

interface ResponseQuery {
  accountId: string;
  id: string;
  now: Date;
}

/**
 * Stores a response, only if the account stores responses now and did when the request began. The account is locked
 * meanwhile: turning it off waits, and then finds all that was stored.
 * @returns false if it was not stored
 */
export async function insertResponse(db: Connection, row: SealedResponse): Promise<boolean> {
  const { response, input } = row;
  if (response.length + input.length <= PIECE_BYTES)
    return insertRow(db, row, { response: decodeBytes(response), input: decodeBytes(input) });
  return inTransaction(db, async (tx) =>
    insertRow(tx, row, {
      response: await passBytes(tx, 'response', response),
      input: await passBytes(tx, 'input', input),
    }),
  );
}

async function insertRow(
  db: Connection,
  { accountId, id, createdAt, response, input, responseSize, inputSize }: SealedResponse,
  sealed: { response: SQL; input: SQL },
): Promise<boolean> {
  const inserted = await db.drizzle.execute(sql`
    WITH keeping AS (
      SELECT id FROM ${accounts}
      WHERE id = ${accountId} AND responses_kept_since <= ${createdAt.toISOString()}::timestamptz FOR SHARE
    )
    INSERT INTO ${storedResponses} (account_id, id, created_at, response_sealed, input_sealed, bytes,
      response_size, input_size)
    SELECT id, ${id}, ${createdAt.toISOString()}::timestamptz, ${sealed.response}, ${sealed.input},
      ${response.length + input.length}, ${responseSize}::integer, ${inputSize}::integer
    FROM keeping
    ON CONFLICT DO NOTHING`);
  return inserted.count === 1;
}

/** @returns null if it does not exist, or its retention is over and it waits to be deleted */
export async function findResponseFacts(db: Connection, query: ResponseQuery): Promise<ResponseFacts | null> {
  const { responseSize, inputSize } = storedResponses;
  const [row] = await db.drizzle
    .select({ responseSize, inputSize, isRunning: isRunning.mapWith(Boolean) })
    .from(storedResponses)
    .innerJoin(accounts, eq(accounts.id, storedResponses.accountId))
    .where(isShown(query));
  return row ?? null;
}

/** Reads one part, sealed. @returns null as `findResponseFacts` does */
export async function findResponsePart(
  db: Connection,
  query: ResponseQuery & { part: 'response' | 'input' },
): Promise<{ sealed: Buffer; size: number } | null> {
  const { responseSealed, responseSize, inputSealed, inputSize } = storedResponses;
  const [sealed, size] =
    query.part === 'response' ? [responseSealed, responseSize] : [inputSealed, inputSize];
  const pieces: Buffer[] = [];
  for (let at = 0; ; at += PIECE_BYTES) {
    const [row] = await db.drizzle
      .select({
        // The columns are stored without compression: this reads only the piece.
        piece: sql`substring(${sealed} FROM ${at + 1} FOR ${PIECE_BYTES})`.mapWith(sealed),
        sealedSize: sql`octet_length(${sealed})`.mapWith(Number),
        size,
      })
      .from(storedResponses)
      .innerJoin(accounts, eq(accounts.id, storedResponses.accountId))
      .where(isShown(query));
    // It may be deleted between two pieces.
    if (row === undefined) return null;
    pieces.push(row.piece);
    if (at + PIECE_BYTES >= row.sealedSize) return { sealed: Buffer.concat(pieces), size: row.size };
  }
}

/** @returns false if it did not exist */
export async function deleteResponse(
  db: Connection,
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> {
  const deleted = await db.drizzle
    .delete(storedResponses)
    .where(and(eq(storedResponses.accountId, accountId), eq(storedResponses.id, id)))
    .returning({ id: storedResponses.id });
  return deleted.length > 0;
}

/** What an account has stored in all, with its conversations. */
export async function sumResponses(
  db: Connection,
  accountId: string,
): Promise<{ responses: number; bytes: number }> {
  const [row] = await db.drizzle.execute<{ responses: string; bytes: string }>(sql`
    SELECT sum(rows)::text AS responses, sum(bytes)::text AS bytes FROM (
      SELECT count(*) AS rows, coalesce(sum(bytes), 0) AS bytes FROM ${storedResponses} WHERE account_id = ${accountId}
      UNION ALL
      SELECT count(*), coalesce(sum(bytes), 0) FROM ${conversations} WHERE account_id = ${accountId}
    ) AS stored`);
  return { responses: Number(row?.responses), bytes: Number(row?.bytes) };
}

const isRunning = sql`EXISTS (SELECT 1 FROM ${backgroundResponses} WHERE ${backgroundResponses.accountId} = ${storedResponses.accountId}
  AND ${backgroundResponses.responseId} = ${storedResponses.id})`;

function isShown({ accountId, id, now }: ResponseQuery) {
  return and(
    eq(storedResponses.accountId, accountId),
    eq(storedResponses.id, id),
    sql`${storedResponses.createdAt} >= ${getRetentionCutoff('responses', now)}`,
  );
}
