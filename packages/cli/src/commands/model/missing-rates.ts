import type { RateLine } from '@tollgate/core/money/rates/rate-lines';
import { listPresetRoutes } from '@tollgate/db/queries/models/model-presets';
import { listModels, type ModelOverview } from '@tollgate/db/queries/models/models';
import type { Connection } from '@tollgate/db/transaction';
import { findMissingRates } from '@tollgate/upstreams/catalogue/missing-rates';

/** A model without some rates that the catalogue has for it. */
export interface LackingModel {
  model: ModelOverview;
  missing: RateLine[];
}

/** Lists models without some rates that the catalogue has for them. */
export async function listLackingModels(db: Connection, now: Date): Promise<LackingModel[]> {
  const [models, routes] = await Promise.all([listModels(db, now), listPresetRoutes(db)]);
  return models.flatMap((model) => {
    const own = routes.filter(({ modelId }) => modelId === model.id);
    const missing = findMissingRates(model, own);
    return missing.length === 0 ? [] : [{ model, missing }];
  });
}
