import type { Database } from '@tollgate/db/client';
import { loadCatalogue } from '@tollgate/db/queries/catalogue/catalogue';
import type { ModelPrice } from '@tollgate/db/queries/models/model-prices';
import { putModel } from '@tollgate/db/queries/models/models';
import { getOffer } from '../commands/model/catalogue-offer.ts';
import { MODEL_PROFILES } from './profiles.ts';

export interface PreparedModels {
  /** Current price of each model of the synthetic month. */
  prices: ReadonlyMap<string, ModelPrice>;
  /** Newly added models. They have no routes. */
  added: string[];
}

/** Ensures that every model of the synthetic month has a price. Existing models stay unchanged. */
export async function prepareModels(db: Database, nowMs: number, since: Date): Promise<PreparedModels> {
  const known = newestPrices((await loadCatalogue(db)).prices, nowMs);
  const added = Object.values(MODEL_PROFILES).filter(({ id }) => !known.has(id));
  for (const { id, preset } of added) {
    const { prices, facts } = getOffer(id, preset);
    await putModel(db, { id, prices, facts, now: since });
  }
  const prices = added.length === 0 ? known : newestPrices((await loadCatalogue(db)).prices, nowMs);
  return { prices, added: added.map(({ id }) => id) };
}

function newestPrices(all: readonly ModelPrice[], nowMs: number): Map<string, ModelPrice> {
  const inForce = all.filter(({ effectiveFrom }) => effectiveFrom.getTime() <= nowMs);
  const byAge = inForce.toSorted((a, b) => a.effectiveFrom.getTime() - b.effectiveFrom.getTime());
  return new Map(byAge.map((price) => [price.modelId, price]));
}
