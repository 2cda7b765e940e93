import { ModelSet } from '@tollgate/core/models/model-pattern';
import { parseUsd } from '@tollgate/core/money/money';
import type { CatalogueModel } from './trpc.ts';

/** The models that a conversation can be had with. */
export function listChatModels(models: readonly CatalogueModel[]): CatalogueModel[] {
  return models.filter(
    (model) => model.availability === 'available' && !model.capabilities.includes('embeddings'),
  );
}

/**
 * The model of code samples, and the first choice in a form: the chat model with the lowest price of output. A model with a
 * retirement date is taken only if there is no other.
 * @param allowed null: all
 */
export function findSampleModel(
  models: readonly CatalogueModel[],
  allowed: readonly string[] | null = null,
): CatalogueModel | undefined {
  const set = allowed === null ? null : new ModelSet(allowed);
  const usable = listChatModels(models).filter(({ id }) => set?.has(id) ?? true);
  const lasting = usable.filter(({ retiresAt }) => retiresAt === null);
  const [first, ...others] = lasting.length === 0 ? usable : lasting;
  return others.reduce((best, model) => (isCheaper(model, best) ? model : best), first);
}

function isCheaper(a: CatalogueModel, b: CatalogueModel | undefined): boolean {
  const [x, y] = [getOutputPrice(a), getOutputPrice(b)];
  return x !== null && (y === null || x < y);
}

function getOutputPrice(model: CatalogueModel | undefined) {
  return model?.prices === null || model === undefined ? null : parseUsd(model.prices.outputUsd);
}
