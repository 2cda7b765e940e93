import { createId } from '@tollgate/core/runtime/ids';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { desc, eq } from 'drizzle-orm';
import { modelPrices, models, routes } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { hasSamePrices, toModelPrice, toPriceColumns } from '../models/model-prices.ts';
import type { ModelFacts } from '../models/model-facts.ts';

/** A model as one provider offers it. */
export interface OfferedModel {
  id: string;
  /** The provider's name of the model; null: the same as the id. */
  upstreamModel: string | null;
  facts: Partial<ModelFacts>;
  prices: RateCard;
}

/** The result for an offered model. */
export interface AddedModel {
  id: string;
  /** False: a model of that id existed and keeps its price and its facts. */
  created: boolean;
  /** False: the model led to the provider already. */
  routed: boolean;
  /** True if the model existed at other prices than the offered ones. */
  otherPrices: boolean;
}

/** Adds missing models, and routes each of them to the provider that offers it, in one transaction. */
export function addProviderModels(
  db: Connection,
  providerId: string,
  offered: readonly OfferedModel[],
): Promise<AddedModel[]> {
  return inTransaction(db, async (tx) => {
    const added: AddedModel[] = [];
    for (const model of offered) added.push(await addProviderModel(tx, providerId, model));
    return added;
  });
}

async function addProviderModel(
  tx: Connection,
  providerId: string,
  model: OfferedModel,
): Promise<AddedModel> {
  const { id, upstreamModel, facts, prices } = model;
  const inserted = await tx.drizzle
    .insert(models)
    .values({ id, ...facts })
    .onConflictDoNothing()
    .returning({ id: models.id });
  const created = inserted.length > 0;
  if (created) await tx.drizzle.insert(modelPrices).values({ modelId: id, ...toPriceColumns(prices) });
  const route = await tx.drizzle
    .insert(routes)
    .values({ id: createId('route'), modelId: id, providerId, upstreamModel })
    .onConflictDoNothing()
    .returning({ id: routes.id });
  const otherPrices = !created && !(await hasPrices(tx, id, prices));
  return { id, created, routed: route.length > 0, otherPrices };
}

async function hasPrices(tx: Connection, modelId: string, prices: RateCard): Promise<boolean> {
  const [current] = await tx.drizzle
    .select()
    .from(modelPrices)
    .where(eq(modelPrices.modelId, modelId))
    .orderBy(desc(modelPrices.effectiveFrom))
    .limit(1);
  return current !== undefined && hasSamePrices(toModelPrice(current), prices);
}
