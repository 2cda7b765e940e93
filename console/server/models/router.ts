import type { ModelFactsTerms } from '@tollgate/core/models/model-facts';
import { formatUsd } from '@tollgate/core/money/money';
import type { ChargingTerms } from '@tollgate/core/money/plan-price';
import {
  toPlanPriceTerms,
  toPriceTerms,
  type PlanPriceTerms,
  type PriceTerms,
} from '@tollgate/core/money/price-terms';
import {
  listAccountModels,
  type AccountModel,
  type ModelAvailability,
} from '@tollgate/db/queries/accounts/account-models';
import { decodeModelFacts } from '@tollgate/db/queries/models/model-facts';
import { notFound } from '../denial.ts';
import { memberProcedure, router } from '../trpc.ts';

export interface ModelRow {
  id: string;
  /** The price in force, in USD per million tokens. */
  inputUsdPerMtok: string;
  outputUsdPerMtok: string;
  contextTokens: number | null;
}

/** A model as members see it, including models that they cannot call. */
export interface CatalogueModel extends ModelFactsTerms {
  id: string;
  availability: ModelAvailability;
  /** The model's prices now, in USD per million tokens; null: it has none. */
  prices: PriceTerms | null;
  /** What the account pays of them. */
  planPrices: PlanPriceTerms | null;
}

export interface CatalogueView {
  models: CatalogueModel[];
  /** The plan's terms for these prices. */
  plan: ChargingTerms;
}

export const modelsRouter = router({
  /** Models that the account can call; no key can call a model outside the plan. */
  list: memberProcedure('viewer').query(async ({ ctx }): Promise<{ models: ModelRow[] }> => {
    const { db, clock } = ctx.deps;
    const found = await listAccountModels(db, { accountId: ctx.account.id, nowMs: clock.nowMs() });
    if (found === null) throw notFound('account');
    return { models: found.models.flatMap(toModelRow) };
  }),

  /** Every model of the installation, with its details. */
  catalogue: memberProcedure('viewer').query(async ({ ctx }): Promise<CatalogueView> => {
    const { db, clock } = ctx.deps;
    const found = await listAccountModels(db, { accountId: ctx.account.id, nowMs: clock.nowMs() });
    if (found === null) throw notFound('account');
    const { plan } = found;
    return { models: found.models.map((model) => toCatalogueModel(model, plan)), plan };
  }),
});

function toModelRow({ id, availability, prices, contextTokens }: AccountModel): ModelRow[] {
  if (availability !== 'available' || prices === null) return [];
  const inputUsdPerMtok = formatUsd(prices.inputNanoUsdPerMtok);
  return [{ id, inputUsdPerMtok, outputUsdPerMtok: formatUsd(prices.outputNanoUsdPerMtok), contextTokens }];
}

function toCatalogueModel(model: AccountModel, plan: ChargingTerms): CatalogueModel {
  return {
    ...decodeModelFacts(model),
    id: model.id,
    availability: model.availability,
    prices: model.prices === null ? null : toPriceTerms(model.prices),
    planPrices: model.prices === null ? null : toPlanPriceTerms(model.prices, plan),
  };
}
