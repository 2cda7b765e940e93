import { createId } from '@tollgate/core/runtime/ids';
import { asc, eq } from 'drizzle-orm';
import { providers, routePatterns } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { syncRoutePatterns, type PatternOffer, type SyncedPatterns } from './sync-route-patterns.ts';

/** Of an installation. */
const MAX_PATTERNS = 100;

export interface NewRoutePattern {
  providerName: string;
  /** The beginning of model IDs, and an asterisk. */
  pattern: string;
  /** A beginning of the pattern that the provider's names lack; empty: they are the same. */
  strip: string;
  priority: number;
  weight: number;
}

export interface RoutePattern extends NewRoutePattern {
  id: string;
  /** Models that it has added. */
  knownModels: string[];
  createdAt: Date;
}

export type AddPatternDenial = 'unknown_provider' | 'no_preset' | 'pattern_exists' | 'too_many';

/** Routes the models of a provider's catalogue whose ID matches a pattern, in one transaction. */
export async function addRoutePattern(
  db: Connection,
  input: NewRoutePattern,
  { offers, actorUserId }: { offers: readonly PatternOffer[]; actorUserId: string | null },
): Promise<
  { ok: true; pattern: RoutePattern; synced: SyncedPatterns } | { ok: false; reason: AddPatternDenial }
> {
  const { providerName, ...terms } = input;
  return inTransaction(db, async (tx) => {
    const [provider] = await tx.drizzle
      .select({ id: providers.id, preset: providers.preset })
      .from(providers)
      .where(eq(providers.name, providerName));
    if (provider === undefined) return { ok: false, reason: 'unknown_provider' };
    if (provider.preset === null) return { ok: false, reason: 'no_preset' };
    if ((await tx.drizzle.$count(routePatterns)) >= MAX_PATTERNS) return { ok: false, reason: 'too_many' };
    const [stored] = await tx.drizzle
      .insert(routePatterns)
      .values({ id: createId('pattern'), providerId: provider.id, ...terms })
      .onConflictDoNothing()
      .returning({ id: routePatterns.id, createdAt: routePatterns.createdAt });
    if (stored === undefined) return { ok: false, reason: 'pattern_exists' };
    const synced = await syncRoutePatterns(tx, offers);
    const detail = { ...input, added: synced.added.length };
    await recordAudit(tx, { actorUserId, action: 'pattern.add', subject: stored.id, detail });
    const [pattern] = await listPatterns(tx, stored.id);
    if (pattern === undefined) throw new Error('The pattern that was stored is missing');
    return { ok: true, pattern, synced };
  });
}

/** By pattern. */
export function listRoutePatterns(db: Connection): Promise<RoutePattern[]> {
  return listPatterns(db);
}

/**
 * Removes a pattern with its routes, and the models that no other route leads to.
 * @returns null if there is none of that ID
 */
export async function removeRoutePattern(
  db: Connection,
  id: string,
  { offers, actorUserId }: { offers: readonly PatternOffer[]; actorUserId: string | null },
): Promise<SyncedPatterns | null> {
  return inTransaction(db, async (tx) => {
    const [removed] = await tx.drizzle
      .delete(routePatterns)
      .where(eq(routePatterns.id, id))
      .returning({ pattern: routePatterns.pattern });
    if (removed === undefined) return null;
    const synced = await syncRoutePatterns(tx, offers);
    const detail = { ...removed, removed: synced.removed.length };
    await recordAudit(tx, { actorUserId, action: 'pattern.remove', subject: id, detail });
    return synced;
  });
}

function listPatterns(db: Connection, id?: string): Promise<RoutePattern[]> {
  return db.drizzle
    .select({
      id: routePatterns.id,
      providerName: providers.name,
      pattern: routePatterns.pattern,
      strip: routePatterns.strip,
      priority: routePatterns.priority,
      weight: routePatterns.weight,
      knownModels: routePatterns.knownModels,
      createdAt: routePatterns.createdAt,
    })
    .from(routePatterns)
    .innerJoin(providers, eq(providers.id, routePatterns.providerId))
    .where(id === undefined ? undefined : eq(routePatterns.id, id))
    .orderBy(asc(routePatterns.pattern), asc(routePatterns.id));
}
