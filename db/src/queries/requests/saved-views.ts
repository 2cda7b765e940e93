import { MAX_VIEWS, type SavedFilter } from '@tollgate/core/requests/saved-view';
import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, count, eq, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { savedViews } from '../../schema/saved-views.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

export interface SavedView {
  id: string;
  name: string;
  filter: SavedFilter;
  isShared: boolean;
  /** Of the creator; null: a deleted user. */
  createdBy: { id: string; email: string } | null;
}

/** Who reads or changes views. */
export interface ViewActor {
  accountId: string;
  userId: string;
  /** True: may share views and change their own shared ones. */
  mayShare: boolean;
  /** True: may change every shared view of the account. */
  isAdmin: boolean;
}

export type ViewOutcome =
  | { ok: true; id: string }
  | { ok: false; reason: 'missing' | 'name_taken' | 'too_many' };

/** The views of a person in an account and the shared views of the account, by name. */
export async function listViews(
  db: Connection,
  { accountId, userId }: Pick<ViewActor, 'accountId' | 'userId'>,
): Promise<SavedView[]> {
  const rows = await db.drizzle
    .select({ view: savedViews, email: users.email })
    .from(savedViews)
    .leftJoin(users, and(eq(users.id, savedViews.createdBy), isNull(users.deletedAt)))
    .where(
      and(
        eq(savedViews.accountId, accountId),
        or(isNull(savedViews.ownerId), eq(savedViews.ownerId, userId)),
      ),
    )
    .orderBy(asc(sql`lower(${savedViews.name})`), asc(savedViews.id));
  return rows.map(({ view: { id, name, filter, ownerId, createdBy }, email }) => ({
    id,
    name,
    filter,
    isShared: ownerId === null,
    createdBy: createdBy === null || email === null ? null : { id: createdBy, email },
  }));
}

/** Shared views are recorded in the account's audit log. */
export async function createView(
  db: Connection,
  actor: ViewActor,
  view: { name: string; isShared: boolean; filter: SavedFilter },
): Promise<ViewOutcome> {
  const { accountId, userId } = actor;
  const { name, isShared, filter } = view;
  return inTransaction(db, async (tx) => {
    await lockViews(tx, accountId);
    const ownerId = isShared ? null : userId;
    const refusal = await findRefusal(tx, { accountId, ownerId, name, isNew: true });
    if (refusal !== null) return refusal;
    const id = createId('view');
    await tx.drizzle.insert(savedViews).values({ id, accountId, ownerId, createdBy: userId, name, filter });
    if (isShared) await record(tx, actor, { id, action: 'view.share', name });
    return { ok: true, id };
  });
}

/** @param change absent members stay */
export async function changeView(
  db: Connection,
  actor: ViewActor,
  change: { id: string; name?: string; isShared?: boolean; filter?: SavedFilter },
): Promise<ViewOutcome> {
  const { accountId, userId } = actor;
  const { id } = change;
  return inTransaction(db, async (tx) => {
    await lockViews(tx, accountId);
    const [stored] = await tx.drizzle.select().from(savedViews).where(isChangeable(actor, id));
    if (stored === undefined) return { ok: false, reason: 'missing' };
    const isShared = change.isShared ?? stored.ownerId === null;
    const ownerId = isShared ? null : userId;
    const isMoved = ownerId !== stored.ownerId;
    const name = change.name ?? stored.name;
    const refusal = await findRefusal(tx, { accountId, ownerId, name, isNew: isMoved, id });
    if (refusal !== null) return refusal;
    const filter = change.filter ?? stored.filter;
    await tx.drizzle
      .update(savedViews)
      .set({ ownerId, name, filter })
      .where(and(eq(savedViews.id, id), eq(savedViews.accountId, accountId)));
    if (isShared) await record(tx, actor, { id, action: isMoved ? 'view.share' : 'view.change', name });
    else if (isMoved) await record(tx, actor, { id, action: 'view.unshare', name });
    return { ok: true, id };
  });
}

/** @returns false if the account has no such view, or the actor may not remove it */
export async function removeView(db: Connection, actor: ViewActor, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [removed] = await tx.drizzle.delete(savedViews).where(isChangeable(actor, id)).returning();
    if (removed === undefined) return false;
    const { name, ownerId } = removed;
    if (ownerId === null) await record(tx, actor, { id, action: 'view.remove', name });
    return true;
  });
}

/** One change of an account's views at a time, so that names stay unique and the maximum holds. */
async function lockViews(tx: Connection, accountId: string): Promise<void> {
  await tx.drizzle
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('no key update');
}

/** A person's own views, and the shared ones that they created if they may share; admins change all shared ones. */
function isChangeable({ accountId, userId, mayShare, isAdmin }: ViewActor, id: string): SQL | undefined {
  const shared = isAdmin ? undefined : eq(savedViews.createdBy, userId);
  return and(
    eq(savedViews.id, id),
    eq(savedViews.accountId, accountId),
    or(eq(savedViews.ownerId, userId), mayShare ? and(isNull(savedViews.ownerId), shared) : undefined),
  );
}

/** @param view.isNew it is not in this list yet */
async function findRefusal(
  tx: Connection,
  view: { accountId: string; ownerId: string | null; name: string; isNew: boolean; id?: string },
): Promise<ViewOutcome | null> {
  const { accountId, ownerId, name, isNew, id } = view;
  const list = and(
    eq(savedViews.accountId, accountId),
    ownerId === null ? isNull(savedViews.ownerId) : eq(savedViews.ownerId, ownerId),
  );
  const [same] = await tx.drizzle
    .select({ id: savedViews.id })
    .from(savedViews)
    .where(
      and(
        list,
        eq(sql`lower(${savedViews.name})`, sql`lower(${name})`),
        id === undefined ? undefined : ne(savedViews.id, id),
      ),
    );
  if (same !== undefined) return { ok: false, reason: 'name_taken' };
  const [row] = await tx.drizzle.select({ views: count() }).from(savedViews).where(list);
  return isNew && (row?.views ?? 0) >= MAX_VIEWS ? { ok: false, reason: 'too_many' } : null;
}

async function record(
  tx: Connection,
  { accountId, userId }: ViewActor,
  { id, action, name }: { id: string; action: string; name: string },
): Promise<void> {
  await recordAudit(tx, { actorUserId: userId, accountId, action, subject: id, detail: { name } });
}
