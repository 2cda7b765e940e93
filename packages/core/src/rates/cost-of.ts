import { FULL_PRICE_PPM, type NanoUsd, type TokenUsage } from '../money.ts';
import { listBillLines, type BillLine, type BillTerms } from './bill-lines.ts';
import type { RateCard } from './rate-card.ts';

const UNITS = 1_000_000n;
const PPM = 1_000_000n;

/**
 * The cost of a request: rounded up to the next nano-dollar once, at the end.
 * @param multiplierPpm what a plan charges of the rates, in parts per million: 1,200,000 is a fifth more
 */
export function costOf(
  usage: TokenUsage,
  card: RateCard,
  multiplierPpm = FULL_PRICE_PPM,
  bill: BillTerms = {},
): NanoUsd {
  return sumLines(listBillLines(usage, card, bill).lines, multiplierPpm);
}

/** What lines cost together, rounded up to the next nano-dollar once. */
function sumLines(lines: readonly BillLine[], multiplierPpm: number): NanoUsd {
  let millionths = 0n;
  for (const line of lines) millionths += millionthsOf(line);
  const divisor = UNITS * PPM;
  return (millionths * BigInt(multiplierPpm) + divisor - 1n) / divisor;
}

/** What a line costs, in millionths of a nano-dollar. */
export function millionthsOf({ quantity, rateNanoUsd, per }: BillLine): bigint {
  return BigInt(quantity) * rateNanoUsd * (UNITS / BigInt(per));
}
