import type { FallbackModel } from '@tollgate/core/models/fallback-model';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { and, asc, count, desc, eq, gt, lte, sql } from 'drizzle-orm';
import { modelPrices, models, routes } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { listFallbackModels } from './fallback-models.ts';
import type { ModelFacts } from './model-facts.ts';
import { hasSamePrices, toModelPrice, toPriceColumns } from './model-prices.ts';

export interface ModelOverview extends ModelFacts {
  id: string;
  createdAt: Date;
  /** null: none is in force, and the model cannot be called. */
  prices: (RateCard & { effectiveFrom: Date }) | null;
  /** Prices it has had, the current one included. */
  priceVersions: number;
  routes: number;
  /** Models to try if its routes fail, in this order. */
  fallbacks: readonly FallbackModel[];
}

/**
 * Makes a model with its price, or gives one that exists a new price version from `now` on.
 * @param input.facts those not named stay as they are
 * @returns what changed; a price equal to the one in force adds no version
 */
export async function putModel(
  db: Connection,
  input: {
    id: string;
    facts: Partial<ModelFacts>;
    prices: RateCard;
    now: Date;
    /** null or absent: the command line. */
    actorUserId?: string | null;
  },
): Promise<{ created: boolean; priceAdded: boolean }> {
  return inTransaction(db, async (tx) => {
    const inserted = await tx.drizzle
      .insert(models)
      .values({ id: input.id, ...input.facts })
      .onConflictDoNothing()
      .returning({ id: models.id });
    const created = inserted.length > 0;
    if (!created && Object.keys(input.facts).length > 0)
      await tx.drizzle.update(models).set(input.facts).where(eq(models.id, input.id));
    // Two that change one price at the same time take turns.
    await tx.drizzle.select().from(models).where(eq(models.id, input.id)).for('update');
    const [current] = await tx.drizzle
      .select()
      .from(modelPrices)
      .where(and(eq(modelPrices.modelId, input.id), lte(modelPrices.effectiveFrom, input.now)))
      .orderBy(desc(modelPrices.effectiveFrom))
      .limit(1);
    const priceAdded = current === undefined || !hasSamePrices(toModelPrice(current), input.prices);
    if (priceAdded)
      await tx.drizzle
        .insert(modelPrices)
        .values({ modelId: input.id, effectiveFrom: input.now, ...toPriceColumns(input.prices) });
    await recordAudit(tx, {
      actorUserId: input.actorUserId ?? null,
      action: created ? 'model.add' : 'model.change',
      subject: input.id,
      detail: { priceAdded },
    });
    return { created, priceAdded };
  });
}

/** By id, with the price in force and the number of routes. */
export async function listModels(db: Connection, now: Date): Promise<ModelOverview[]> {
  const current = await db.drizzle
    .selectDistinctOn([modelPrices.modelId])
    .from(modelPrices)
    .where(lte(modelPrices.effectiveFrom, now))
    .orderBy(modelPrices.modelId, desc(modelPrices.effectiveFrom));
  const versions = await countByModel(db, modelPrices);
  const getRoutes = await countByModel(db, routes);
  const getPrice = new Map(current.map((price) => [price.modelId, toModelPrice(price)]));
  const fallbacks = await listFallbackModels(db);
  const rows = await db.drizzle.select().from(models).orderBy(asc(models.id));
  return rows.map((model) => ({
    ...model,
    prices: getPrice.get(model.id) ?? null,
    priceVersions: versions.get(model.id) ?? 0,
    routes: getRoutes.get(model.id) ?? 0,
    fallbacks: fallbacks.get(model.id) ?? [],
  }));
}

/**
 * Removes a model and its routes. Its prices stay, so that the cost of its requests can be verified, except prices that
 * would take effect in the future.
 * @returns null if there is no model of that id
 */
export async function removeModel(
  db: Connection,
  id: string,
  actorUserId: string | null = null,
): Promise<{ removedRoutes: number } | null> {
  return inTransaction(db, async (tx) => {
    const deleted = await tx.drizzle
      .delete(routes)
      .where(eq(routes.modelId, id))
      .returning({ id: routes.id });
    const removed = await tx.drizzle.delete(models).where(eq(models.id, id)).returning({ id: models.id });
    if (removed.length === 0) return null;
    await tx.drizzle
      .delete(modelPrices)
      .where(and(eq(modelPrices.modelId, id), gt(modelPrices.effectiveFrom, sql`now()`)));
    const detail = { removedRoutes: deleted.length };
    await recordAudit(tx, { actorUserId, action: 'model.remove', subject: id, detail });
    return { removedRoutes: deleted.length };
  });
}

async function countByModel(
  db: Connection,
  table: typeof modelPrices | typeof routes,
): Promise<Map<string, number>> {
  const rows = await db.drizzle
    .select({ modelId: table.modelId, count: count() })
    .from(table)
    .groupBy(table.modelId);
  return new Map(rows.map((row) => [row.modelId, row.count]));
}
