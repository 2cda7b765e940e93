import { FULL_PRICE_PPM } from '@tollgate/core/money/money';
import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, eq } from 'drizzle-orm';
import { models, providers, routes } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';

export interface NewRoute {
  modelId: string;
  providerName: string;
  /** The provider's own name of the model; null: the same as ours. */
  upstreamModel: string | null;
  /** The lowest is tried first. */
  priority: number;
  /** The share of a route among those of its priority, at least 1. */
  weight: number;
  /** Other names that the provider reports for the model in responses; absent: none. */
  servedNames?: readonly string[];
  /** The context window of its upstream model; null, absent: that of the model. */
  contextTokens?: number | null;
  /** What its provider costs, in parts per million of the model's price; absent: the price. */
  costPpm?: number;
}

export interface RouteOverview extends NewRoute {
  servedNames: readonly string[];
  contextTokens: number | null;
  costPpm: number;
  id: string;
  createdAt: Date;
}

export type AddRouteDenial = 'unknown_model' | 'unknown_provider' | 'route_exists';

/** Leads a model to a provider. */
export async function addRoute(
  db: Connection,
  input: NewRoute,
  actorUserId: string | null = null,
): Promise<{ ok: true; route: RouteOverview } | { ok: false; reason: AddRouteDenial }> {
  const servedNames = [...(input.servedNames ?? [])];
  const contextTokens = input.contextTokens ?? null;
  const costPpm = input.costPpm ?? FULL_PRICE_PPM;
  return inTransaction(db, async (tx) => {
    const [model] = await tx.drizzle
      .select({ id: models.id })
      .from(models)
      .where(eq(models.id, input.modelId));
    if (model === undefined) return { ok: false, reason: 'unknown_model' };
    const [provider] = await tx.drizzle
      .select({ id: providers.id })
      .from(providers)
      .where(eq(providers.name, input.providerName));
    if (provider === undefined) return { ok: false, reason: 'unknown_provider' };
    const [route] = await tx.drizzle
      .insert(routes)
      .values({
        id: createId('route'),
        modelId: input.modelId,
        providerId: provider.id,
        upstreamModel: input.upstreamModel,
        priority: input.priority,
        weight: input.weight,
        servedNames,
        contextTokens,
        costPpm,
      })
      .onConflictDoNothing()
      .returning({ id: routes.id, createdAt: routes.createdAt });
    if (route === undefined) return { ok: false, reason: 'route_exists' };
    await recordAudit(tx, { actorUserId, action: 'route.add', subject: route.id, detail: { ...input } });
    return { ok: true, route: { ...input, servedNames, contextTokens, costPpm, ...route } };
  });
}

/** In the order in which they are tried, model by model. */
export async function listRoutes(db: Connection): Promise<RouteOverview[]> {
  return db.drizzle
    .select({
      id: routes.id,
      modelId: routes.modelId,
      providerName: providers.name,
      upstreamModel: routes.upstreamModel,
      priority: routes.priority,
      weight: routes.weight,
      servedNames: routes.servedNames,
      contextTokens: routes.contextTokens,
      costPpm: routes.costPpm,
      createdAt: routes.createdAt,
    })
    .from(routes)
    .innerJoin(providers, eq(providers.id, routes.providerId))
    .orderBy(asc(routes.modelId), asc(routes.priority), asc(routes.createdAt), asc(routes.id));
}

/** @returns false if there is no route of that id */
export async function removeRoute(
  db: Connection,
  id: string,
  actorUserId: string | null = null,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const removed = await tx.drizzle.delete(routes).where(eq(routes.id, id)).returning();
    const [route] = removed;
    if (route === undefined) return false;
    const detail = { modelId: route.modelId, providerId: route.providerId };
    await recordAudit(tx, { actorUserId, action: 'route.remove', subject: id, detail });
    return true;
  });
}

/**
 * Changes what an operator knows about a route; what is not given stays.
 * @returns false if there is no route of that id, or it belongs to another model
 */
export async function changeRoute(
  db: Connection,
  input: { id: string; change: Partial<Pick<RouteOverview, 'contextTokens' | 'costPpm'>>; modelId?: string },
  actorUserId: string | null = null,
): Promise<boolean> {
  const { id, change, modelId } = input;
  return inTransaction(db, async (tx) => {
    const isRoute = eq(routes.id, id);
    const [stored = {}] = await tx.drizzle.select().from(routes).where(isRoute).for('update');
    const changed = await tx.drizzle
      .update(routes)
      .set(change)
      .where(modelId === undefined ? isRoute : and(isRoute, eq(routes.modelId, modelId)))
      .returning({ id: routes.id });
    if (changed.length === 0) return false;
    const detail = describeChange(stored, { ...change });
    await recordAudit(tx, { actorUserId, action: 'route.change', subject: id, detail });
    return true;
  });
}

/**
 * Replaces the names that a route's provider reports for its model.
 * @returns false if there is no route of that id, or it belongs to another model
 */
export async function setServedNames(
  db: Connection,
  input: { id: string; servedNames: readonly string[]; modelId?: string },
  actorUserId: string | null = null,
): Promise<boolean> {
  const { id, modelId } = input;
  const servedNames = [...input.servedNames];
  return inTransaction(db, async (tx) => {
    const isRoute = eq(routes.id, id);
    const [stored = {}] = await tx.drizzle.select().from(routes).where(isRoute).for('update');
    const changed = await tx.drizzle
      .update(routes)
      .set({ servedNames })
      .where(modelId === undefined ? isRoute : and(isRoute, eq(routes.modelId, modelId)))
      .returning({ id: routes.id });
    if (changed.length === 0) return false;
    await recordAudit(tx, {
      actorUserId,
      action: 'route.served_names',
      subject: id,
      detail: describeChange(stored, { servedNames }),
    });
    return true;
  });
}
