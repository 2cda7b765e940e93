import { formatDecimal, type NanoUsd } from './money.ts';

/** 1e-15 USD: the unit of a price per million tokens times a multiplier in millionths, without a remainder. */
export type FemtoUsd = bigint;

/** The terms of a plan that decide what its accounts pay. */
export interface ChargingTerms {
  /** Multiplier of the models' prices, in millionths. */
  pricePpm: number;
  /** False: the costs of requests are recorded and not charged. */
  isPrepaid: boolean;
}

const MTOK_DECIMALS = 15;
const TOKEN_DECIMALS = 21;

/** The share of the models' prices that the accounts of a plan pay, in millionths; 0: requests are free. */
export function chargedPpm({ pricePpm, isPrepaid }: ChargingTerms): number {
  return isPrepaid ? pricePpm : 0;
}

/** What an account pays per million tokens, exactly. */
export function planPrice(nanoUsdPerMtok: NanoUsd, plan: ChargingTerms): FemtoUsd {
  return nanoUsdPerMtok * BigInt(chargedPpm(plan));
}

/** Formats a price per million tokens in USD, exactly, with at least two decimals: `3_600_000_000_000_000n` → `3.60`. */
export function formatUsdPerMtok(femtoUsdPerMtok: FemtoUsd): string {
  return formatDecimal(femtoUsdPerMtok, MTOK_DECIMALS, 2);
}

/** Formats a price per million tokens as USD per token, exactly: `3_600_000_000_000_000n` → `0.0000036`. */
export function formatUsdPerToken(femtoUsdPerMtok: FemtoUsd): string {
  return formatDecimal(femtoUsdPerMtok, TOKEN_DECIMALS, 0);
}
