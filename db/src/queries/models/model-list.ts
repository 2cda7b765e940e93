import { asc, desc, exists, lte, sql } from 'drizzle-orm';
import { modelPrices, models, routes } from '../../schema/catalogue.ts';
import type { Connection } from '../../transaction.ts';

export interface ModelOnOffer {
  id: string;
  inputNanoUsdPerMtok: bigint;
  outputNanoUsdPerMtok: bigint;
  contextTokens: number | null;
}

/** The models that can be called: those with a price in force and at least one route. */
export async function listModelsOnOffer(db: Connection, nowMs: number): Promise<ModelOnOffer[]> {
  const prices = db.drizzle
    .selectDistinctOn([modelPrices.modelId])
    .from(modelPrices)
    .where(lte(modelPrices.effectiveFrom, new Date(nowMs)))
    .orderBy(modelPrices.modelId, desc(modelPrices.effectiveFrom))
    .as('prices');
  return db.drizzle
    .select({
      id: models.id,
      inputNanoUsdPerMtok: prices.inputNanoUsdPerMtok,
      outputNanoUsdPerMtok: prices.outputNanoUsdPerMtok,
      contextTokens: models.contextTokens,
    })
    .from(models)
    .innerJoin(prices, sql`${prices.modelId} = ${models.id}`)
    .where(
      exists(
        db.drizzle
          .select()
          .from(routes)
          .where(sql`${routes.modelId} = ${models.id}`),
      ),
    )
    .orderBy(asc(models.id));
}
