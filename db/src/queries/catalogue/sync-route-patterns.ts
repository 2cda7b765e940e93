import { isMeantBy } from '@tollgate/core/models/model-pattern';
import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, eq, inArray, isNotNull, notExists, sql } from 'drizzle-orm';
import { modelPrices, models, providers, routePatterns, routes } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { toPriceColumns } from '../models/model-prices.ts';
import type { OfferedModel } from '../providers/provider-models.ts';

/** A model of the catalogue, at the providers of one preset. */
export interface PatternOffer extends OfferedModel {
  preset: string;
}

export interface SyncedPatterns {
  /** Models that can be called because of it. */
  added: string[];
  /** Models of patterns that no route leads to any more. */
  removed: string[];
}

interface Meant {
  pattern: typeof routePatterns.$inferSelect;
  offer: PatternOffer;
}

/**
 * Adds the models that route patterns mean and the installation lacks, with the catalogue's prices. Of several patterns, the
 * longest wins; a model that an operator added always wins. A model or route that an operator removed does not come back.
 */
export function syncRoutePatterns(db: Connection, offers: readonly PatternOffer[]): Promise<SyncedPatterns> {
  return inTransaction(db, async (tx) => {
    // Replicas that start at the same time take turns.
    const rows = await tx.drizzle
      .select({ pattern: routePatterns, preset: providers.preset })
      .from(routePatterns)
      .innerJoin(providers, eq(providers.id, routePatterns.providerId))
      .orderBy(asc(routePatterns.priority), asc(routePatterns.createdAt), asc(routePatterns.id))
      .for('update', { of: routePatterns });
    const meant = findMeant(rows, offers);
    await leaveToLonger(tx, meant, new Map(rows.map(({ pattern }) => [pattern.id, pattern])));
    const added: string[] = [];
    const stored = await tx.drizzle.select({ id: models.id, fromPattern: models.fromPattern }).from(models);
    const isOwn = new Map(stored.map(({ id, fromPattern }) => [id, !fromPattern]));
    for (const [modelId, winners] of meant) {
      if (isOwn.get(modelId) === true) continue;
      for (const { pattern, offer } of winners) {
        if (pattern.knownModels.includes(modelId)) continue;
        pattern.knownModels.push(modelId);
        if (!isOwn.has(modelId)) {
          await addModel(tx, modelId, offer);
          isOwn.set(modelId, false);
          added.push(modelId);
        }
        await addPatternRoute(tx, modelId, { pattern, offer });
      }
    }
    for (const { pattern } of rows)
      await tx.drizzle
        .update(routePatterns)
        .set({ knownModels: pattern.knownModels })
        .where(eq(routePatterns.id, pattern.id));
    return { added, removed: await removeUnrouted(tx) };
  });
}

/** The offers that the longest pattern of each model ID means. */
function findMeant(
  rows: readonly { pattern: Meant['pattern']; preset: string | null }[],
  offers: readonly PatternOffer[],
): Map<string, Meant[]> {
  const meant = new Map<string, Meant[]>();
  for (const { pattern, preset } of rows)
    for (const offer of offers) {
      const modelId = pattern.strip + offer.id;
      if (offer.preset !== preset || !isMeantBy(pattern.pattern, modelId)) continue;
      const others = meant.get(modelId) ?? [];
      const longest = others[0]?.pattern.pattern.length ?? 0;
      const { length } = pattern.pattern;
      if (length > longest) meant.set(modelId, [{ pattern, offer }]);
      else if (length === longest) others.push({ pattern, offer });
    }
  return meant;
}

/** Removes the routes of patterns that are no longer the longest. */
async function leaveToLonger(
  tx: Connection,
  meant: ReadonlyMap<string, Meant[]>,
  patterns: ReadonlyMap<string, Meant['pattern']>,
): Promise<void> {
  const routed = await tx.drizzle
    .select({ id: routes.id, modelId: routes.modelId, patternId: routes.patternId })
    .from(routes)
    .where(isNotNull(routes.patternId));
  for (const { id, modelId, patternId } of routed) {
    const winners = meant.get(modelId);
    if (winners === undefined || winners.some(({ pattern }) => pattern.id === patternId)) continue;
    await tx.drizzle.delete(routes).where(eq(routes.id, id));
    const left = patterns.get(patternId ?? '');
    if (left !== undefined) left.knownModels = left.knownModels.filter((known) => known !== modelId);
  }
}

async function addModel(tx: Connection, id: string, { facts, prices }: PatternOffer): Promise<void> {
  await tx.drizzle.insert(models).values({ id, ...facts, fromPattern: true });
  await tx.drizzle.insert(modelPrices).values({ modelId: id, ...toPriceColumns(prices) });
}

async function addPatternRoute(tx: Connection, modelId: string, { pattern, offer }: Meant): Promise<void> {
  const { id: patternId, providerId, priority, weight, strip } = pattern;
  const upstreamModel = offer.upstreamModel ?? (strip === '' ? null : offer.id);
  await tx.drizzle
    .insert(routes)
    .values({ id: createId('route'), modelId, providerId, upstreamModel, priority, weight, patternId })
    .onConflictDoNothing();
}

/** A model of a pattern exists as long as a route leads to it. */
async function removeUnrouted(tx: Connection): Promise<string[]> {
  const removed = await tx.drizzle
    .delete(models)
    .where(
      and(
        eq(models.fromPattern, true),
        notExists(tx.drizzle.select().from(routes).where(eq(routes.modelId, models.id))),
      ),
    )
    .returning({ id: models.id });
  const ids = removed.map(({ id }) => id);
  if (ids.length > 0)
    await tx.drizzle
      .delete(modelPrices)
      .where(and(inArray(modelPrices.modelId, ids), sql`${modelPrices.effectiveFrom} > now()`));
  return ids;
}
