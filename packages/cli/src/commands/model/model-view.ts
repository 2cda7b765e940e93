import type { ModelFactsField } from '@tollgate/core/models/model-facts';
import type { ModelFacts } from '@tollgate/db/queries/models/model-facts';
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

/** @param facts of a model, or of the catalogue */
export function factsJson(facts: ModelFacts): Record<ModelFactsField, unknown> {
  return {
    title: facts.title,
    contextTokens: facts.contextTokens,
    maxOutputTokens: facts.maxOutputTokens,
    capabilities: facts.capabilities,
    retiresAt: iso(facts.retiresAt),
  };
}

/** Prices in USD per million tokens. */
export function modelJson(model: ModelOverview) {
  const { prices } = model;
  return {
    id: model.id,
    ...factsJson(model),
    price: prices && { ...pricesJson(prices), effectiveFrom: iso(prices.effectiveFrom) },
    priceVersions: model.priceVersions,
    routes: model.routes,
    fallbacks: model.fallbacks,
    createdAt: iso(model.createdAt),
  };
}
