import type { RateLine } from '@tollgate/core/money/rates/rate-lines';
import { listPresetRoutes } from '@tollgate/db/queries/models/model-presets';
import { listModels, type ModelOverview } from '@tollgate/db/queries/models/models';
import type { Connection } from '@tollgate/db/transaction';
import { findMissingRates } from '@tollgate/upstreams/catalogue/missing-rates';

/** A model that lacks rates of the catalogue. */
export interface LackingModel {
  model: ModelOverview;
  missing: RateLine[];
}

/** The models that lack rates which the catalogue has. */
export async function listLackingModels(db: Connection, now: Date): Promise<LackingModel[]> {
  const [models, routes] = await Promise.all([listModels(db, now), listPresetRoutes(db)]);
  return models.flatMap((model) => {
    const own = routes.filter(({ modelId }) => modelId === model.id);
    const missing = findMissingRates(model, own);
    return missing.length === 0 ? [] : [{ model, missing }];
  });
}
