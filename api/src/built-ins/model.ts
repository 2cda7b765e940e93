import { parseUsd } from '@tollgate/core/money';
import type { BuiltInModel } from '@tollgate/db/queries/built-ins';

/** What is published of a model. */
export interface ModelFacts {
  contextTokens: number;
  maxOutputTokens: number;
  /** USD per million tokens, as the provider publishes them. */
  input: string;
  output: string;
  cacheRead: string;
  cacheWrite?: string;
}

/** Gives the facts of a model the form of the database. */
export function model(id: string, facts: ModelFacts): BuiltInModel {
  return {
    id,
    contextTokens: facts.contextTokens,
    maxOutputTokens: facts.maxOutputTokens,
    inputNanoUsdPerMtok: priceOf(facts.input),
    outputNanoUsdPerMtok: priceOf(facts.output),
    cacheReadNanoUsdPerMtok: priceOf(facts.cacheRead),
    cacheWriteNanoUsdPerMtok: facts.cacheWrite === undefined ? null : priceOf(facts.cacheWrite),
  };
}

function priceOf(usd: string): bigint {
  const price = parseUsd(usd);
  if (price === null) throw new Error(`${usd} is no amount of dollars`);
  return price;
}
