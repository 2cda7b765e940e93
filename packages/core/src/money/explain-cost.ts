import type { NanoUsd, TokenUsage } from './money.ts';
import { listBillLines, type BillLine, type BillTerms } from './rates/bill-lines.ts';
import { millionthsOf } from './rates/cost-of.ts';
import type { RateCard } from './rates/rate-card.ts';

/** 1e-21 USD: what a price per million tokens times a multiplier in millionths comes down to, without a remainder. */
export type ZeptoUsd = bigint;

const ZEPTO_PER_NANO = 1_000_000_000_000n;
const PPM = 1_000_000n;
const ZEPTO_DECIMALS = 21;

/** One line of a bill with what it costs. */
export type CostLine = BillLine & { amountZeptoUsd: ZeptoUsd };

/** How a cost came about: the lines, the plan's share, the rounding and what was not charged add up to what was billed. */
export interface CostExplanation {
  lines: CostLine[];
  /** True: the input was so long that the model's prices for long input hold. */
  isLongInput: boolean;
  /** Names of rates that the rate card lacks: what they are for is billed as text, or not at all. */
  missing: string[];
  /** What the plan's multiplier adds, or takes where it is a discount. */
  planZeptoUsd: ZeptoUsd;
  /** Up to the next nano-dollar. */
  roundingZeptoUsd: ZeptoUsd;
  /** Less than 0 where less could be billed than it cost: never more than was held. */
  cappedZeptoUsd: ZeptoUsd;
  billedNanoUsd: NanoUsd;
}

/** Takes a bill apart again, with the rate card that it was made with. */
export function explainCost(request: {
  usage: TokenUsage;
  card: RateCard;
  bill?: BillTerms;
  multiplierPpm: number;
  billedNanoUsd: NanoUsd;
}): CostExplanation {
  const { usage, card, bill, multiplierPpm, billedNanoUsd } = request;
  const { lines, isLongInput, missing } = listBillLines(usage, card, bill);
  const priced = lines.map((line) => ({ ...line, amountZeptoUsd: millionthsOf(line) * PPM }));
  const atModelPrice = priced.reduce((sum, line) => sum + line.amountZeptoUsd, 0n);
  const planZeptoUsd = (atModelPrice / PPM) * (BigInt(multiplierPpm) - PPM);
  const exact = atModelPrice + planZeptoUsd;
  const rounded = ((exact + ZEPTO_PER_NANO - 1n) / ZEPTO_PER_NANO) * ZEPTO_PER_NANO;
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

/** Writes an amount in dollars with every decimal that it has, two at least: `654_000_000_000_000_000n` → `0.000654`. */
export function formatZeptoUsd(amount: ZeptoUsd): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(ZEPTO_DECIMALS + 1, '0');
  const fraction = digits.slice(-ZEPTO_DECIMALS).replace(/0+$/, '').padEnd(2, '0');
  return `${sign}${digits.slice(0, -ZEPTO_DECIMALS)}.${fraction}`;
}
