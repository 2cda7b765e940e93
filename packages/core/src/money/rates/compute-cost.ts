import { FULL_PRICE_PPM, type NanoUsd, type TokenUsage } from '../money.ts';
import { listBillLines, type BillLine, type BillTerms } from './bill-lines.ts';
import type { RateCard } from './rate-card.ts';

const UNITS = 1_000_000n;
const UNITS_PER_THOUSAND = 1_000n;
const PPM = 1_000_000n;
const DIVISOR = UNITS * PPM;

/**
 * Computes the cost of a request, rounded up once to the next nano-dollar.
 * @param multiplierPpm the plan's factor on rates in parts per million: 1,200,000 is 20% more
 */
export function computeCost(
  usage: TokenUsage,
  card: RateCard,
  multiplierPpm = FULL_PRICE_PPM,
  bill: BillTerms = {},
): NanoUsd {
  return sumLines(listBillLines(usage, card, bill).lines, multiplierPpm);
}

/** Computes the total cost of lines, rounded up once to the next nano-dollar. */
export function sumLines(lines: readonly BillLine[], multiplierPpm: number): NanoUsd {
  let millionths = 0n;
  for (const line of lines) millionths += toMillionths(line);
  return roundUp(millionths, multiplierPpm);
}

function roundUp(millionths: bigint, multiplierPpm: number): NanoUsd {
  return (millionths * BigInt(multiplierPpm) + DIVISOR - 1n) / DIVISOR;
}

/** Computes the cost of token classes at nano-dollars per million, rounded up once to a nano-dollar. */
export function costOfTokens(
  classes: readonly { tokens: number; rateNanoUsd: NanoUsd }[],
  multiplierPpm: number,
): NanoUsd {
  let millionths = 0n;
  for (const { tokens, rateNanoUsd } of classes) millionths += BigInt(tokens) * rateNanoUsd;
  return roundUp(millionths, multiplierPpm);
}

/** Applies a plan's multiplier to an amount, rounded up to a nano-dollar. */
export function withMultiplier(nanoUsd: NanoUsd, multiplierPpm: number): NanoUsd {
  return roundUp(nanoUsd * UNITS, multiplierPpm);
}

/** Removes a plan's multiplier from a cost, rounded down to a nano-dollar. @throws RangeError if the multiplier is 0 */
export function withoutMultiplier(nanoUsd: NanoUsd, multiplierPpm: number): NanoUsd {
  return (nanoUsd * PPM) / BigInt(multiplierPpm);
}

/**
 * Splits a cost at the hold: the rest is unbilled cost. db/functions/settle_requests.sql and replace_estimates.sql do the
 * same; a test compares them.
 * @param heldNanoUsd null: the request has no hold, and all of it is billed
 */
export function splitAtHold(
  costNanoUsd: NanoUsd,
  heldNanoUsd: NanoUsd | null,
): { billedNanoUsd: NanoUsd; unbilledNanoUsd: NanoUsd } {
  const billedNanoUsd = heldNanoUsd !== null && costNanoUsd > heldNanoUsd ? heldNanoUsd : costNanoUsd;
  return { billedNanoUsd, unbilledNanoUsd: costNanoUsd - billedNanoUsd };
}

/** Computes the cost of a line in millionths of a nano-dollar. */
export function toMillionths({ quantity, rateNanoUsd, per }: BillLine): bigint {
  const cost = BigInt(quantity) * rateNanoUsd;
  return per === 1_000_000 ? cost : cost * UNITS_PER_THOUSAND;
}
