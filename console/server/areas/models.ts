import { parseModelCapabilities, type ModelCapability } from '@tollgate/core/model-capabilities';
import { formatUsd, type ClassPrices, type TokenPrices } from '@tollgate/core/money';
import {
  listAccountModels,
  type AccountModel,
  type ModelAvailability,
} from '@tollgate/db/queries/account-models';
import { listModelsOnOffer } from '@tollgate/db/queries/model-list';
import { notFound } from '../denial.ts';
import { memberProcedure, router } from '../trpc.ts';

export interface ModelRow {
  id: string;
  /** The price in force, in USD per million tokens. */
  inputUsdPerMtok: string;
  outputUsdPerMtok: string;
  contextTokens: number | null;
}

/** What each class of token costs, in USD per million tokens; null: the same as the class that it falls back to. */
export interface ClassPricesView {
  inputUsd: string;
  outputUsd: string;
  /** null: as input. */
  cacheReadUsd: string | null;
  /** null: as input. */
  cacheWriteUsd: string | null;
  /** null: as a cache write. */
  cacheWrite1hUsd: string | null;
}

/** A model as the account's people see it, also where they cannot call it. */
export interface CatalogueModel {
  id: string;
  title: string | null;
  availability: ModelAvailability;
  contextTokens: number | null;
  maxOutputTokens: number | null;
  capabilities: ModelCapability[];
  /** When its maker takes it away; null: not announced. */
  retiresAt: string | null;
  /** In force now; null: none is. */
  prices: (ClassPricesView & { longInput: (ClassPricesView & { aboveInputTokens: number }) | null }) | null;
}

export interface CatalogueView {
  models: CatalogueModel[];
  /** What the account's plan charges of these prices, in millionths. */
  pricePpm: number;
}

export const modelsRouter = router({
  list: memberProcedure('viewer').query(async ({ ctx }): Promise<{ models: ModelRow[] }> => {
    const models = await listModelsOnOffer(ctx.deps.db, ctx.deps.clock.nowMs());
    return {
      models: models.map((model) => ({
        id: model.id,
        inputUsdPerMtok: formatUsd(model.inputNanoUsdPerMtok),
        outputUsdPerMtok: formatUsd(model.outputNanoUsdPerMtok),
        contextTokens: model.contextTokens,
      })),
    };
  }),

  /** Every model of the installation, with all that is known of it. */
  catalogue: memberProcedure('viewer').query(async ({ ctx }): Promise<CatalogueView> => {
    const { db, clock } = ctx.deps;
    const found = await listAccountModels(db, { accountId: ctx.account.id, nowMs: clock.nowMs() });
    if (found === null) throw notFound('account');
    return { models: found.models.map(toCatalogueModel), pricePpm: found.pricePpm };
  }),
});

function toCatalogueModel(model: AccountModel): CatalogueModel {
  return {
    id: model.id,
    title: model.title,
    availability: model.availability,
    contextTokens: model.contextTokens,
    maxOutputTokens: model.maxOutputTokens,
    capabilities: parseModelCapabilities(model.capabilities),
    retiresAt: model.retiresAt?.toISOString() ?? null,
    prices: model.prices === null ? null : toPricesView(model.prices),
  };
}

function toPricesView(prices: TokenPrices): NonNullable<CatalogueModel['prices']> {
  const { longInput = null } = prices;
  return {
    ...toClassPricesView(prices),
    longInput:
      longInput === null
        ? null
        : { ...toClassPricesView(longInput), aboveInputTokens: longInput.aboveInputTokens },
  };
}

function toClassPricesView(prices: ClassPrices): ClassPricesView {
  const orNull = (amount: bigint | null) => (amount === null ? null : formatUsd(amount));
  return {
    inputUsd: formatUsd(prices.inputNanoUsdPerMtok),
    outputUsd: formatUsd(prices.outputNanoUsdPerMtok),
    cacheReadUsd: orNull(prices.cacheReadNanoUsdPerMtok),
    cacheWriteUsd: orNull(prices.cacheWriteNanoUsdPerMtok),
    cacheWrite1hUsd: orNull(prices.cacheWrite1hNanoUsdPerMtok),
  };
}
