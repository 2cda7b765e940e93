import { FULL_PRICE_PPM, type NanoUsd, type TokenUsage } from '../money.ts';
import { listBillLines, type BillLine, type BillTerms } from './bill-lines.ts';
import type { RateCard } from './rate-card.ts';

const UNITS = 1_000_000n;
const UNITS_PER_THOUSAND = 1_000n;
const PPM = 1_000_000n;
const DIVISOR = UNITS * PPM;

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
export function sumLines(lines: readonly BillLine[], multiplierPpm: number): NanoUsd {
  let millionths = 0n;
  for (const line of lines) millionths += millionthsOf(line);
  return roundUp(millionths, multiplierPpm);
}

function roundUp(millionths: bigint, multiplierPpm: number): NanoUsd {
  return (millionths * BigInt(multiplierPpm) + DIVISOR - 1n) / DIVISOR;
}

/** The cost of tokens of two classes at rates in nano-dollars per million, rounded up to the next nano-dollar once. */
export function costOfTokens(
  input: { tokens: number; rateNanoUsd: NanoUsd },
  output: { tokens: number; rateNanoUsd: NanoUsd },
  multiplierPpm: number,
): NanoUsd {
  const millionths = BigInt(input.tokens) * input.rateNanoUsd + BigInt(output.tokens) * output.rateNanoUsd;
  return roundUp(millionths, multiplierPpm);
}

/** What a line costs, in millionths of a nano-dollar. */
export function millionthsOf({ quantity, rateNanoUsd, per }: BillLine): bigint {
  const cost = BigInt(quantity) * rateNanoUsd;
  return per === 1_000_000 ? cost : cost * UNITS_PER_THOUSAND;
}
