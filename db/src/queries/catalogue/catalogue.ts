import { asc, eq, getTableColumns } from 'drizzle-orm';
import type { Database } from '../../client.ts';
import { modelFallbacks, modelPrices, models, providers, routes } from '../../schema/catalogue.ts';
import { toModelPrice, type ModelPrice } from '../models/model-prices.ts';
import { listCredentials, type ProviderCredentialRow } from '../providers/provider-credentials.ts';

export type ProviderRow = typeof providers.$inferSelect;
type ModelRow = typeof models.$inferSelect;
type RouteRow = typeof routes.$inferSelect;
type FallbackRow = typeof modelFallbacks.$inferSelect;

export interface CatalogueRows {
  providers: ProviderRow[];
  /** The oldest of each provider first. */
  credentials: ProviderCredentialRow[];
  models: ModelRow[];
  prices: ModelPrice[];
  routes: RouteRow[];
  /** In the order in which they are tried. */
  fallbacks: FallbackRow[];
}

/** The whole catalogue, as of one moment. */
export function loadCatalogue(db: Database): Promise<CatalogueRows> {
  return db.drizzle.transaction(
    async (tx) => ({
      providers: await tx.select().from(providers),
      credentials: await listCredentials({ drizzle: tx }),
      models: await tx.select().from(models).orderBy(asc(models.id)),
      prices: (await listPricesOfModels(tx)).map(toModelPrice),
      routes: await tx.select().from(routes),
      fallbacks: await tx.select().from(modelFallbacks).orderBy(asc(modelFallbacks.position)),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** Prices of removed models stay in their table; no request is priced by them. */
function listPricesOfModels(tx: Pick<Database['drizzle'], 'select'>) {
  return tx
    .select(getTableColumns(modelPrices))
    .from(modelPrices)
    .innerJoin(models, eq(models.id, modelPrices.modelId));
}
