import { and, eq, sql } from 'drizzle-orm';
import { conversationParts, conversations } from '../../schema/conversations.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { passBytes } from '../responses/pass-bytes.ts';
import { isUnlocked, type ConversationPlace } from './conversations.ts';
import type { SealedPart } from './list-parts.ts';

/**
 * Whose items are added: those of the request that has locked the conversation, or of any request while none has. The response
 * of a request is added whatever its size: it is paid for.
 */
export type PartOwner = { requestId: string } | { silentForMs: number; maxSize: number };

/** `locked`: another request has the conversation. `full`: it has no room. `missing`: it does not exist. */
export type AddOutcome = 'added' | 'locked' | 'full' | 'missing';

/**
 * Adds items to a conversation, and unlocks it.
 * @param limits what the conversation may have afterwards
 */
export async function addPart(
  db: Connection,
  { accountId, id, now }: ConversationPlace & { now: Date },
  part: { id: string; sealed: Buffer; size: number },
  { owner, maxParts }: { owner: PartOwner; maxParts: number },
): Promise<AddOutcome> {
  const isThis = and(eq(conversations.accountId, accountId), eq(conversations.id, id));
  const hasRoom = and(
    sql`${conversations.nextPart} < ${maxParts}`,
    'maxSize' in owner ? sql`${conversations.size} + ${part.size} <= ${owner.maxSize}` : undefined,
  );
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
      .where(and(isThis, isMine, hasRoom))
      .returning({ next: conversations.nextPart });
    if (updated === undefined) {
      const [found] = await tx.drizzle
        .select({ hasRoom: sql`${hasRoom}`.mapWith(Boolean) })
        .from(conversations)
        .where(isThis);
      if (found === undefined) return 'missing';
      return found.hasRoom ? 'locked' : 'full';
    }
    await tx.drizzle.insert(conversationParts).values({
      accountId,
      conversationId: id,
      number: updated.next - 1,
      id: part.id,
      createdAt: now,
      itemsSealed: await passBytes(tx, 'items', part.sealed),
      size: part.size,
    });
    return 'added';
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
      .set({ itemsSealed: await passBytes(tx, 'items', sealed), size, revision: old.revision + 1 })
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
