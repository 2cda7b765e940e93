import { and, asc, eq, sql } from 'drizzle-orm';
import { conversationParts, conversations } from '../../schema/conversations.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { isUnlocked, type ConversationPlace } from './conversations.ts';

/** Items that were added together, sealed. */
export interface SealedPart {
  id: string;
  number: number;
  sealed: Buffer;
  /** Decompressed, in bytes. */
  size: number;
  revision: number;
}

/** Whose items are added: those of the request that has locked the conversation, or of any request while none has. */
export type PartOwner = { requestId: string } | { silentForMs: number };

/** Lists all parts of a conversation, the oldest first. */
export function listParts(db: Connection, { accountId, id }: ConversationPlace): Promise<SealedPart[]> {
  const { number, itemsSealed, size, revision } = conversationParts;
  return db.drizzle
    .select({ id: conversationParts.id, number, sealed: itemsSealed, size, revision })
    .from(conversationParts)
    .where(and(eq(conversationParts.accountId, accountId), eq(conversationParts.conversationId, id)))
    .orderBy(asc(number));
}

/**
 * Adds items to a conversation, and unlocks it.
 * @param limits what the conversation may have afterwards
 * @returns false if it does not exist, another request has it, or it is full
 */
export async function addPart(
  db: Connection,
  { accountId, id, now }: ConversationPlace & { now: Date },
  part: { id: string; sealed: Buffer; size: number },
  { owner, maxParts }: { owner: PartOwner; maxParts: number },
): Promise<boolean> {
  const isMine =
    'requestId' in owner ? eq(conversations.lockedBy, owner.requestId) : isUnlocked(owner.silentForMs);
  return inTransaction(db, async (tx) => {
    const [updated] = await tx.drizzle
      .update(conversations)
      .set({
        updatedAt: now,
        nextPart: sql`${conversations.nextPart} + 1`,
        size: sql`${conversations.size} + ${part.size}`,
        bytes: sql`${conversations.bytes} + ${part.sealed.length}`,
        lockedBy: null,
        lockedReplica: null,
      })
      .where(
        and(
          eq(conversations.accountId, accountId),
          eq(conversations.id, id),
          isMine,
          sql`${conversations.nextPart} < ${maxParts}`,
        ),
      )
      .returning({ next: conversations.nextPart });
    if (updated === undefined) return false;
    await tx.drizzle.insert(conversationParts).values({
      accountId,
      conversationId: id,
      number: updated.next - 1,
      id: part.id,
      createdAt: now,
      itemsSealed: part.sealed,
      size: part.size,
    });
    return true;
  });
}

/** Replaces a part that lost an item. @returns false if the part has changed, or a request has the conversation */
export async function replacePart(
  db: Connection,
  { accountId, id, now }: ConversationPlace & { now: Date },
  old: SealedPart,
  { sealed, size, silentForMs }: { sealed: Buffer; size: number; silentForMs: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [updated] = await tx.drizzle
      .update(conversations)
      .set({
        updatedAt: now,
        size: sql`${conversations.size} + ${size - old.size}`,
        bytes: sql`${conversations.bytes} + ${sealed.length - old.sealed.length}`,
      })
      .where(and(eq(conversations.accountId, accountId), eq(conversations.id, id), isUnlocked(silentForMs)))
      .returning({ id: conversations.id });
    if (updated === undefined) return false;
    const replaced = await tx.drizzle
      .update(conversationParts)
      .set({ itemsSealed: sealed, size, revision: old.revision + 1 })
      .where(
        and(
          eq(conversationParts.accountId, accountId),
          eq(conversationParts.conversationId, id),
          eq(conversationParts.number, old.number),
          eq(conversationParts.revision, old.revision),
        ),
      )
      .returning({ number: conversationParts.number });
    if (replaced.length === 0) throw new PartChanged();
    return true;
  }).catch((error: unknown) => {
    if (error instanceof PartChanged) return false;
    throw error;
  });
}

/** Rolls the transaction back. */
class PartChanged extends Error {}
