import { typedKeys } from '../runtime/typed-keys.ts';
import type { MediaTokenClass, ServerTool } from './rates/rate-need.ts';

/**
 * Money is an integer number of nano-dollars (1e-9 USD), always a bigint and never a float.
 */
export type NanoUsd = bigint;

const NANOS_PER_USD = 1_000_000_000n;
const USD_PATTERN = /^(\d{1,12})(?:\.(\d{1,9}))?$/;

/**
 * Parses a non-negative decimal amount in dollars, e.g. `"10"`, `"0.000132"`.
 * @returns nano-dollars, or null if the text is not a plain decimal with at most 9 decimals
 */
export function parseUsd(text: string): NanoUsd | null {
  const match = USD_PATTERN.exec(text.trim());
  if (match === null) return null;
  const [, whole = '0', fraction = ''] = match;
  return BigInt(whole) * NANOS_PER_USD + BigInt(fraction.padEnd(9, '0'));
}

/**
 * Formats an amount exactly, with at least two decimals:
 * `132000n` → `"0.000132"`, `0n` → `"0.00"`, `61_200_000_000n` → `"61.20"`.
 */
export function formatUsd(amount: NanoUsd): string {
  const sign = amount < 0n ? '-' : '';
  const absolute = amount < 0n ? -amount : amount;
  const fraction = String(absolute % NANOS_PER_USD).padStart(9, '0');
  let end = fraction.length;
  while (end > 2 && fraction.endsWith('0', end)) end -= 1;
  return `${sign}${absolute / NANOS_PER_USD}.${fraction.slice(0, end)}`;
}

/**
 * Formats a non-negative amount of 10^-`decimals` dollars exactly.
 * @param least minimum number of decimals in the text; other trailing zeros are removed
 */
export function formatDecimal(amount: bigint, decimals: number, least: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(least, '0');
  return digits.slice(0, -decimals) + (fraction === '' ? '' : `.${fraction}`);
}

/** Price of each token class, in nano-dollars per million tokens. */
export interface ClassPrices {
  inputNanoUsdPerMtok: NanoUsd;
  outputNanoUsdPerMtok: NanoUsd;
  /** null: cached input costs the input price. */
  cacheReadNanoUsdPerMtok: NanoUsd | null;
  /** 5-minute cache-write price; null: input price. */
  cacheWriteNanoUsdPerMtok: NanoUsd | null;
  /** 1-hour cache-write price; null: the 5-minute price applies. */
  cacheWrite1hNanoUsdPerMtok: NanoUsd | null;
}

/** Prices for a whole request, including output, if its input is long. */
export interface LongInputPrices extends ClassPrices {
  /** Input tokens, including cached ones, above which these prices apply. */
  aboveInputTokens: number;
}

/** Prices of a model. */
export interface TokenPrices extends ClassPrices {
  /** null or absent: the same price for any input length. */
  longInput?: LongInputPrices | null;
}

/**
 * Usage that a provider reports for one completion. The classes do not overlap: each token counts once.
 */
export interface TokenUsage {
  /** Input tokens neither read from nor written to a cache. */
  inputTokens: number;
  cacheReadTokens: number;
  /** 5-minute cache writes, or all cache writes if the provider does not report 1-hour ones. */
  cacheWriteTokens: number;
  /** 1-hour cache writes. */
  cacheWrite1hTokens: number;
  /** Output tokens, including reasoning. */
  outputTokens: number;
  /** Other billed units; absent: none. */
  extras?: UsageExtras | undefined;
}

/** The count of each media class, in the order of bills. */
const COUNTS_OF_MEDIA = {
  audio_input: { count: 'audioInputTokens', direction: 'input' },
  image_input: { count: 'imageInputTokens', direction: 'input' },
  audio_output: { count: 'audioOutputTokens', direction: 'output' },
  image_output: { count: 'imageOutputTokens', direction: 'output' },
} as const satisfies Record<MediaTokenClass, { count: string; direction: 'input' | 'output' }>;

/** Audio and image counts of a usage, with their rate and direction. */
export const MEDIA_COUNTS = typedKeys(COUNTS_OF_MEDIA).map((tokenClass) => ({
  tokenClass,
  ...COUNTS_OF_MEDIA[tokenClass],
}));

export type MediaCount = (typeof MEDIA_COUNTS)[number]['count'];

/** Billed units other than standard tokens. `inputTokens` and `outputTokens` do not include these token classes. */
export interface UsageExtras extends Partial<Record<MediaCount, number | undefined>> {
  /** Calls of server tools. */
  toolCalls?: { readonly [Tool in ServerTool]?: number | undefined } | undefined;
  /** Additional requests by the provider (compaction, advisor), each billed at the price of its model. */
  iterations?: readonly UsageIteration[] | undefined;
}

/** Usage of one additional request by the provider. */
export interface UsageIteration {
  /** null: the model of the request. */
  model: string | null;
  usage: TokenUsage;
  /** Version of the rate card used for billing; absent: not billed yet. */
  priceId?: number | undefined;
}

export const NO_USAGE: TokenUsage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
};

/** Price multiplier of 1, in parts per million. */
export const FULL_PRICE_PPM = 1_000_000;

/** All input tokens of the model, including audio and images; compared with the threshold of long input. */
export function getInputTokens(usage: TokenUsage): number {
  const text = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.cacheWrite1hTokens;
  return text + getMediaTokens(usage, 'input');
}

/** All output tokens of the model, including audio and images. */
export function getOutputTokens(usage: TokenUsage): number {
  return usage.outputTokens + getMediaTokens(usage, 'output');
}

/** Audio and image tokens of one direction. */
export function getMediaTokens({ extras }: TokenUsage, direction: 'input' | 'output'): number {
  if (extras === undefined) return 0;
  let sum = 0;
  for (const media of MEDIA_COUNTS) if (media.direction === direction) sum += extras[media.count] ?? 0;
  return sum;
}

/** All input tokens of a request, including additional requests by the provider. */
export function getAllInputTokens(usage: TokenUsage): number {
  const further = usage.extras?.iterations ?? [];
  return further.reduce((sum, iteration) => sum + getInputTokens(iteration.usage), getInputTokens(usage));
}

/** All output tokens of a request, including additional requests by the provider. */
export function getAllOutputTokens(usage: TokenUsage): number {
  const further = usage.extras?.iterations ?? [];
  return further.reduce((sum, iteration) => sum + getOutputTokens(iteration.usage), getOutputTokens(usage));
}
