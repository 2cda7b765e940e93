import { listModels, type ModelOverview } from '@tollgate/db/queries/models/models';
import type { Connection } from '@tollgate/db/transaction';
import { iso } from '../../output/format.ts';
import { Failure } from '../../failure.ts';
import { pricesJson } from './price-view.ts';

/** @throws Failure if no model has that ID */
export async function getModel(db: Connection, id: string, now: Date): Promise<ModelOverview> {
  const model = (await listModels(db, now)).find((each) => each.id === id);
  if (model === undefined) throw modelNotFound(id);
  return model;
}

export function modelNotFound(id: string): Failure {
  return new Failure(
    'model_not_found',
    `Model ${id} does not exist. List models with \`tollgate model list\`.`,
  );
}

/** Prices in USD per million tokens. */
export function modelJson(model: ModelOverview) {
  const { prices } = model;
  return {
    id: model.id,
    title: model.title,
    contextTokens: model.contextTokens,
    maxOutputTokens: model.maxOutputTokens,
    capabilities: model.capabilities,
    retiresAt: iso(model.retiresAt),
    price: prices && { ...pricesJson(prices), effectiveFrom: iso(prices.effectiveFrom) },
    priceVersions: model.priceVersions,
    routes: model.routes,
    createdAt: iso(model.createdAt),
  };
}
