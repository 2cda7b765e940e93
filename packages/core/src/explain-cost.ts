import { inputTokensOf, type ClassPrices, type NanoUsd, type TokenPrices, type TokenUsage } from './money.ts';

/** 1e-21 USD: what a price per million tokens times a multiplier in millionths comes down to, without a remainder. */
export type ZeptoUsd = bigint;

const ZEPTO_PER_NANO = 1_000_000_000_000n;
const PPM = 1_000_000n;
const ZEPTO_DECIMALS = 21;

export type TokenClass = 'input' | 'cache_read' | 'cache_write' | 'cache_write_1h' | 'output';

/** One class of tokens at its price. */
interface CostLine {
  tokenClass: TokenClass;
  tokens: number;
  nanoUsdPerMtok: NanoUsd;
  amountZeptoUsd: ZeptoUsd;
}

/** How a cost came about: the lines, the plan's share, the rounding and what was not charged add up to what was billed. */
export interface CostExplanation {
  /** The classes that had any tokens. */
  lines: CostLine[];
  /** True: the input was so long that the model's prices for long input hold. */
  isLongInput: boolean;
  /** What the plan's multiplier adds, or takes where it is a discount. */
  planZeptoUsd: ZeptoUsd;
  /** Up to the next nano-dollar. */
  roundingZeptoUsd: ZeptoUsd;
  /** Less than 0 where less could be billed than it cost: never more than was held. */
  cappedZeptoUsd: ZeptoUsd;
  billedNanoUsd: NanoUsd;
}

/** Takes a bill apart again, with the prices that it was made with. */
export function explainCost(request: {
  usage: TokenUsage;
  prices: TokenPrices;
  multiplierPpm: number;
  billedNanoUsd: NanoUsd;
}): CostExplanation {
  const { usage, prices, multiplierPpm, billedNanoUsd } = request;
  const longInput = prices.longInput ?? null;
  const isLongInput = longInput !== null && inputTokensOf(usage) > longInput.aboveInputTokens;
  const lines = linesOf(usage, isLongInput ? longInput : prices);
  const atModelPrice = lines.reduce((sum, line) => sum + line.amountZeptoUsd, 0n);
  const planZeptoUsd = (atModelPrice / PPM) * (BigInt(multiplierPpm) - PPM);
  const exact = atModelPrice + planZeptoUsd;
  const rounded = ((exact + ZEPTO_PER_NANO - 1n) / ZEPTO_PER_NANO) * ZEPTO_PER_NANO;
  return {
    lines,
    isLongInput,
    planZeptoUsd,
    roundingZeptoUsd: rounded - exact,
    cappedZeptoUsd: billedNanoUsd * ZEPTO_PER_NANO - rounded,
    billedNanoUsd,
  };
}

function linesOf(usage: TokenUsage, prices: ClassPrices): CostLine[] {
  const input = prices.inputNanoUsdPerMtok;
  const cacheWrite = prices.cacheWriteNanoUsdPerMtok ?? input;
  const classes: [TokenClass, number, NanoUsd][] = [
    ['input', usage.inputTokens, input],
    ['cache_read', usage.cacheReadTokens, prices.cacheReadNanoUsdPerMtok ?? input],
    ['cache_write', usage.cacheWriteTokens, cacheWrite],
    ['cache_write_1h', usage.cacheWrite1hTokens, prices.cacheWrite1hNanoUsdPerMtok ?? cacheWrite],
    ['output', usage.outputTokens, prices.outputNanoUsdPerMtok],
  ];
  return classes
    .filter(([, tokens]) => tokens > 0)
    .map(([tokenClass, tokens, nanoUsdPerMtok]) => ({
      tokenClass,
      tokens,
      nanoUsdPerMtok,
      amountZeptoUsd: BigInt(tokens) * nanoUsdPerMtok * PPM,
    }));
}

/** Writes an amount in dollars with every decimal that it has, two at least: `654_000_000_000_000_000n` → `0.000654`. */
export function formatZeptoUsd(amount: ZeptoUsd): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(ZEPTO_DECIMALS + 1, '0');
  const fraction = digits.slice(-ZEPTO_DECIMALS).replace(/0+$/, '').padEnd(2, '0');
  return `${sign}${digits.slice(0, -ZEPTO_DECIMALS)}.${fraction}`;
}
