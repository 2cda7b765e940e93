import { sql, type SQL } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** Larger values pass in pieces of this size: the driver writes and reads each of them in one turn of the event loop. */
export const PIECE_BYTES = 1024 * 1024;

/** Names a value within its transaction. */
type PassedPart = 'response' | 'input' | 'items';

/** Passes a large value in pieces. @param tx the transaction that uses the value. @returns the value */
export async function passBytes(tx: Connection, part: PassedPart, bytes: Buffer): Promise<SQL> {
  if (bytes.length <= PIECE_BYTES) return decodeBytes(bytes);
  await tx.drizzle.execute(sql`
    CREATE TEMPORARY TABLE IF NOT EXISTS response_pieces (part text NOT NULL, place integer NOT NULL, bytes bytea NOT NULL)
    ON COMMIT DELETE ROWS`);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    await tx.drizzle.execute(sql`
      INSERT INTO pg_temp.response_pieces (part, place, bytes)
      VALUES (${part}, ${at}::integer, ${decodeBytes(bytes.subarray(at, at + PIECE_BYTES))})`);
  return sql`(SELECT string_agg(bytes, ''::bytea ORDER BY place) FROM pg_temp.response_pieces WHERE part = ${part})`;
}

export const decodeBytes = (bytes: Buffer): SQL => sql`decode(${bytes.toString('base64')}, 'base64')`;
