import type { ModelCapability } from '@tollgate/core/models/model-capabilities';
import type { ModelFactsTerms } from '@tollgate/core/models/model-facts';
import { parseUsd, type ClassPrices } from '@tollgate/core/money/money';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { rateLinesSchema, toRates } from '@tollgate/core/money/rates/rate-lines';

/** A row of the catalogue: the published data of a model at one provider. */
export interface CatalogueModel {
  /** Model ID in requests; the same at all providers that host the model. */
  id: string;
  /** The preset of the provider that charges these prices. */
  preset: string;
  /** Upstream model ID; null: the same as the id. */
  upstreamModel: string | null;
  prices: RateCard;
  /** null: not published, or not announced. */
  facts: Omit<ModelFactsTerms, 'retiresAt'> & { retiresAt: Date | null };
}

/** USD per million tokens, as published. An absent class costs as much as input. */
interface PublishedPrices {
  input: string;
  output: string;
  cacheRead?: string;
  cacheWrite?: string;
  /** 1-hour cache write; absent: costs as much as other writes. */
  cacheWrite1h?: string;
}

interface PublishedModel {
  id: string;
  title: string;
  upstreamModel?: string;
  contextTokens: number | null;
  maxOutputTokens: number | null;
  usdPerMtok: PublishedPrices;
  /** Prices of the whole request if its input, cached tokens included, is longer. */
  longInput?: PublishedPrices & { aboveInputTokens: number };
  /** Additional rates by name, e.g. `service_tier:flex`; unpublished rates are left out. */
  rates?: Readonly<Record<string, string>>;
  capabilities: readonly ModelCapability[];
  /** The retirement date, in UTC: `2026-12-11`. */
  retiresOn?: string;
}

/** Converts published model data to rows of the catalogue. */
export function defineModels(preset: string, models: readonly PublishedModel[]): readonly CatalogueModel[] {
  return models.map(({ id, title, upstreamModel, usdPerMtok, longInput, rates = {}, ...model }) => ({
    id,
    preset,
    upstreamModel: upstreamModel ?? null,
    prices: {
      ...getPrices(usdPerMtok),
      longInput:
        longInput === undefined
          ? null
          : { ...getPrices(longInput), aboveInputTokens: longInput.aboveInputTokens },
      rates: getRates(rates),
    },
    facts: {
      title,
      contextTokens: model.contextTokens,
      maxOutputTokens: model.maxOutputTokens,
      capabilities: [...model.capabilities],
      retiresAt: model.retiresOn === undefined ? null : new Date(model.retiresOn),
    },
  }));
}

function getRates(rates: Readonly<Record<string, string>>): RateCard['rates'] {
  return toRates(rateLinesSchema.parse(Object.entries(rates).map(([rate, value]) => ({ rate, value }))));
}

function getPrices({ input, output, cacheRead, cacheWrite, cacheWrite1h }: PublishedPrices): ClassPrices {
  return {
    inputNanoUsdPerMtok: nanoUsd(input),
    outputNanoUsdPerMtok: nanoUsd(output),
    cacheReadNanoUsdPerMtok: cacheRead === undefined ? null : nanoUsd(cacheRead),
    cacheWriteNanoUsdPerMtok: cacheWrite === undefined ? null : nanoUsd(cacheWrite),
    cacheWrite1hNanoUsdPerMtok: cacheWrite1h === undefined ? null : nanoUsd(cacheWrite1h),
  };
}

function nanoUsd(text: string): bigint {
  const amount = parseUsd(text);
  if (amount === null) throw new Error(`${text} is no amount of dollars`);
  return amount;
}
