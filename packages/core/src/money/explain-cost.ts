import { formatDecimal, type NanoUsd, type TokenUsage } from './money.ts';
import { listBillLines, type BillLine, type BillTerms } from './rates/bill-lines.ts';
import { toMillionths, sumLines } from './rates/compute-cost.ts';
import type { RateCard } from './rates/rate-card.ts';

/** 1e-21 USD: the unit of a price per million tokens times a multiplier in millionths, without a remainder. */
export type ZeptoUsd = bigint;

const ZEPTO_PER_NANO = 1_000_000_000_000n;
const PPM = 1_000_000n;
const ZEPTO_DECIMALS = 21;

/** One line of a bill with its cost. */
export type CostLine = BillLine & { amountZeptoUsd: ZeptoUsd };

/** Breakdown of a cost: lines, plan adjustment, rounding and unbilled part add up to the billed amount. */
export interface CostExplanation {
  lines: CostLine[];
  /** True: the model's prices for long input apply. */
  isLongInput: boolean;
  /** Names of rates missing from the rate card. Their usage is billed as text or not at all. */
  missing: string[];
  /** Amount that the plan's multiplier adds; negative for a discount. */
  planZeptoUsd: ZeptoUsd;
  /** Amount added by rounding up to a nano-dollar. */
  roundingZeptoUsd: ZeptoUsd;
  /** Negative if the cost exceeded the hold: a bill is never higher than its hold. */
  cappedZeptoUsd: ZeptoUsd;
  billedNanoUsd: NanoUsd;
}

/** Recomputes the breakdown of a bill with its rate card. */
export function explainCost(request: {
  usage: TokenUsage;
  card: RateCard;
  bill?: BillTerms;
  multiplierPpm: number;
  billedNanoUsd: NanoUsd;
}): CostExplanation {
  const { usage, card, bill, multiplierPpm, billedNanoUsd } = request;
  const { lines, isLongInput, missing } = listBillLines(usage, card, bill);
  const priced = lines.map((line) => ({ ...line, amountZeptoUsd: toMillionths(line) * PPM }));
  const atModelPrice = priced.reduce((sum, line) => sum + line.amountZeptoUsd, 0n);
  const planZeptoUsd = (atModelPrice / PPM) * (BigInt(multiplierPpm) - PPM);
  const exact = atModelPrice + planZeptoUsd;
  const rounded = sumLines(lines, multiplierPpm) * ZEPTO_PER_NANO;
  return {
    lines: priced,
    isLongInput,
    missing,
    planZeptoUsd,
    roundingZeptoUsd: rounded - exact,
    cappedZeptoUsd: billedNanoUsd * ZEPTO_PER_NANO - rounded,
    billedNanoUsd,
  };
}

/** Formats an exact amount in dollars with at least two decimals: `654_000_000_000_000_000n` → `0.000654`. */
export function formatZeptoUsd(amount: ZeptoUsd): string {
  const sign = amount < 0n ? '-' : '';
  return sign + formatDecimal(amount < 0n ? -amount : amount, ZEPTO_DECIMALS, 2);
}
