import type { MediaTokenClass, ServerTool } from './rates/rate-need.ts';

/**
 * Money is an integer count of nano-dollars (1e-9 USD), always a bigint: no float ever holds an amount.
 */
export type NanoUsd = bigint;

const NANOS_PER_USD = 1_000_000_000n;
const USD_PATTERN = /^(\d{1,12})(?:\.(\d{1,9}))?$/;

/**
 * Reads a non-negative decimal amount of dollars, e.g. `"10"`, `"0.000132"`.
 * @returns nano-dollars, or null when the text is no plain decimal with at most 9 decimals
 */
export function parseUsd(text: string): NanoUsd | null {
  const match = USD_PATTERN.exec(text.trim());
  if (match === null) return null;
  const [, whole = '0', fraction = ''] = match;
  return BigInt(whole) * NANOS_PER_USD + BigInt(fraction.padEnd(9, '0'));
}

/**
 * Writes an amount exactly: two decimals from a dollar up when no more are needed, as many as needed else.
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

/** Decimals of a dollar that a price per token can have: nine of a nano-dollar, six of a million tokens. */
const PRICE_DECIMALS = 15;

/** Writes a price in nano-dollars per million tokens as dollars per token: `3_000_000_000n` → `"0.000003"`. */
export function formatUsdPerToken(nanoUsdPerMtok: NanoUsd): string {
  const digits = nanoUsdPerMtok.toString().padStart(PRICE_DECIMALS + 1, '0');
  const fraction = digits.slice(-PRICE_DECIMALS).replace(/0+$/, '');
  return digits.slice(0, -PRICE_DECIMALS) + (fraction === '' ? '' : `.${fraction}`);
}

/** The price of each class of token, in nano-dollars per million tokens. */
export interface ClassPrices {
  inputNanoUsdPerMtok: NanoUsd;
  outputNanoUsdPerMtok: NanoUsd;
  /** null: cached input is charged as input. */
  cacheReadNanoUsdPerMtok: NanoUsd | null;
  /** Of five minutes; null: charged as input. */
  cacheWriteNanoUsdPerMtok: NanoUsd | null;
  /** Of an hour; null: charged as those of five minutes. */
  cacheWrite1hNanoUsdPerMtok: NanoUsd | null;
}

/** What a request costs as a whole, output included, once its input is long. */
export interface LongInputPrices extends ClassPrices {
  /** They hold above so many input tokens, cached ones included; at so many the normal ones still do. */
  aboveInputTokens: number;
}

/** The prices of a model. */
export interface TokenPrices extends ClassPrices {
  /** null or absent: input of any length costs the same. */
  longInput?: LongInputPrices | null;
}

/**
 * What a provider reports for one completion. The classes do not overlap: a token is counted once.
 */
export interface TokenUsage {
  /** Input tokens that were neither read from nor written to a cache. */
  inputTokens: number;
  cacheReadTokens: number;
  /** Written for five minutes, or for as long as the provider keeps entries where it tells nothing of an hour. */
  cacheWriteTokens: number;
  /** Written for an hour. */
  cacheWrite1hTokens: number;
  /** Output tokens, reasoning included. */
  outputTokens: number;
  /** What is billed beside plain tokens; absent: nothing. */
  extras?: UsageExtras | undefined;
}

/** Every count of audio and images in a usage, the rate that it is billed by, and whether the model read or wrote it. */
export const MEDIA_COUNTS = [
  { count: 'audioInputTokens', tokenClass: 'audio_input', direction: 'input' },
  { count: 'imageInputTokens', tokenClass: 'image_input', direction: 'input' },
  { count: 'audioOutputTokens', tokenClass: 'audio_output', direction: 'output' },
  { count: 'imageOutputTokens', tokenClass: 'image_output', direction: 'output' },
] as const satisfies readonly {
  count: string;
  tokenClass: MediaTokenClass;
  direction: 'input' | 'output';
}[];

export type MediaCount = (typeof MEDIA_COUNTS)[number]['count'];

/** Billed units beside plain tokens. The token classes here are not counted in `inputTokens` or `outputTokens` again. */
export interface UsageExtras extends Partial<Record<MediaCount, number | undefined>> {
  /** Calls of tools that the provider ran. */
  toolCalls?: { readonly [Tool in ServerTool]?: number | undefined } | undefined;
  /** Further requests that the provider made for this one (compaction, advisor), each billed as the model it names. */
  iterations?: readonly UsageIteration[] | undefined;
}

/** Usage of one further request that the provider made. */
export interface UsageIteration {
  /** null: the model of the request. */
  model: string | null;
  usage: TokenUsage;
  /** The version of the model's rate card that it is billed by; absent: not billed yet. */
  priceId?: number | undefined;
}

export const NO_USAGE: TokenUsage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
};

/** A multiplier of prices that changes nothing, in parts per million. */
export const FULL_PRICE_PPM = 1_000_000;

/** All tokens that the model read, audio and images included: what a threshold of long input is compared with. */
export function inputTokensOf(usage: TokenUsage): number {
  const text = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.cacheWrite1hTokens;
  return text + mediaTokensOf(usage, 'input');
}

/** All tokens that the model wrote, audio and images included. */
export function outputTokensOf(usage: TokenUsage): number {
  return usage.outputTokens + mediaTokensOf(usage, 'output');
}

/** Tokens of audio and images that the model read or wrote. */
export function mediaTokensOf({ extras }: TokenUsage, direction: 'input' | 'output'): number {
  if (extras === undefined) return 0;
  let sum = 0;
  for (const media of MEDIA_COUNTS) if (media.direction === direction) sum += extras[media.count] ?? 0;
  return sum;
}

/** All tokens that models read for a request, further requests of the provider included. */
export function allInputTokensOf(usage: TokenUsage): number {
  const further = usage.extras?.iterations ?? [];
  return further.reduce((sum, iteration) => sum + inputTokensOf(iteration.usage), inputTokensOf(usage));
}

/** All tokens that models wrote for a request, further requests of the provider included. */
export function allOutputTokensOf(usage: TokenUsage): number {
  const further = usage.extras?.iterations ?? [];
  return further.reduce((sum, iteration) => sum + outputTokensOf(iteration.usage), outputTokensOf(usage));
}
