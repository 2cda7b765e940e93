import { parseUsd } from '@tollgate/core/money/money';
import type { CatalogueModel } from '../../lib/trpc.ts';
import type { ModelSort, ModelsSearch } from './search.ts';

/** Filters and sorts models by the search. Unknown values come last in both directions. */
export function arrangeModels(models: readonly CatalogueModel[], search: ModelsSearch): CatalogueModel[] {
  const { q = '', can, show, sort = 'id', down = false } = search;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((model) => {
    if (show !== 'all' && model.availability !== 'available') return false;
    if (can !== undefined && !model.capabilities.includes(can)) return false;
    const text = `${model.id} ${model.title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return found.toSorted((a, b) => compare(a, b, sort, down));
}

function compare(a: CatalogueModel, b: CatalogueModel, sort: ModelSort, down: boolean): number {
  const byId = a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  if (sort === 'id') return down ? -byId : byId;
  const [x, y] = [getAmount(a, sort), getAmount(b, sort)];
  if (x === null || y === null) return x === y ? byId : x === null ? 1 : -1;
  if (x === y) return byId;
  return x < y === down ? 1 : -1;
}

function getAmount(model: CatalogueModel, sort: Exclude<ModelSort, 'id'>): bigint | null {
  switch (sort) {
    case 'context':
      return model.contextTokens === null ? null : BigInt(model.contextTokens);
    case 'output-max':
      return model.maxOutputTokens === null ? null : BigInt(model.maxOutputTokens);
    case 'input':
      return model.prices === null ? null : parseUsd(model.prices.inputUsd);
    case 'output':
      return model.prices === null ? null : parseUsd(model.prices.outputUsd);
  }
}
