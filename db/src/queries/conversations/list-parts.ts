import { and, asc, eq, sql } from 'drizzle-orm';
import { conversationParts } from '../../schema/conversations.ts';
import type { Connection } from '../../transaction.ts';
import { PIECE_BYTES } from '../responses/pass-bytes.ts';
import type { ConversationPlace } from './conversations.ts';

/** Items that were added together, sealed. */
export interface SealedPart {
  id: string;
  number: number;
  sealed: Buffer;
  /** Decompressed, in bytes. */
  size: number;
  revision: number;
}

/** Rows per query, so that the driver reads neither many nor large ones in one turn of the event loop. */
const AT_A_TIME = 500;

/** Lists all parts of a conversation as they are at one time, the oldest first. */
export function listParts(db: Connection, { accountId, id }: ConversationPlace): Promise<SealedPart[]> {
  const { number, itemsSealed, size, revision } = conversationParts;
  const ofConversation = and(
    eq(conversationParts.accountId, accountId),
    eq(conversationParts.conversationId, id),
  );
  const work = async (tx: Connection): Promise<SealedPart[]> => {
    const parts: SealedPart[] = [];
    for (let from = 0; ;) {
      const rows = await tx.drizzle
        .select({
          id: conversationParts.id,
          number,
          size,
          revision,
          // The column is stored without compression: this reads only the piece.
          sealed: sql`substring(${itemsSealed} FROM 1 FOR ${PIECE_BYTES})`.mapWith(itemsSealed),
          sealedSize: sql`octet_length(${itemsSealed})`.mapWith(Number),
        })
        .from(conversationParts)
        .where(and(ofConversation, sql`${number} >= ${from}`))
        .orderBy(asc(number))
        .limit(AT_A_TIME);
      for (const { sealedSize, ...part } of rows)
        parts.push({ ...part, sealed: await readRest(tx, part, sealedSize) });
      from = (rows.at(-1)?.number ?? 0) + 1;
      if (rows.length < AT_A_TIME) return parts;
    }
  };
  const readRest = async (tx: Connection, part: SealedPart, sealedSize: number): Promise<Buffer> => {
    if (sealedSize <= PIECE_BYTES) return part.sealed;
    const pieces = [part.sealed];
    for (let at = PIECE_BYTES; at < sealedSize; at += PIECE_BYTES) {
      const [row] = await tx.drizzle
        .select({
          piece: sql`substring(${itemsSealed} FROM ${at + 1} FOR ${PIECE_BYTES})`.mapWith(itemsSealed),
        })
        .from(conversationParts)
        .where(and(ofConversation, eq(number, part.number)));
      if (row !== undefined) pieces.push(row.piece);
    }
    return Buffer.concat(pieces);
  };
  return db.drizzle.transaction((drizzle) => work({ drizzle }), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
}
