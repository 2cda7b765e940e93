import { z } from 'zod';
import { formatUsd, parseUsd, type ClassPrices, type NanoUsd } from '../money.ts';
import { PRICE_ORDER } from '../price-fields.ts';
import type { AdditionalRates, TermPrices, TermRate } from './rate-card.ts';
import { MEDIA_TOKEN_CLASSES, SERVER_TOOLS } from './rate-need.ts';

/**
 * Additional rates as operators write them, one per line, in USD:
 * - `tokens:audio_input` = `32` per million tokens
 * - `tool_calls:web_search` = `10` per 1,000 calls
 * - `service_tier:flex`, `speed:fast`, `inference_geo:us` = `0.5x` of all token rates, or a separate price list,
 *   `input/output/cached/cache write/1 h cache write`, where `-` or nothing means the fallback rate of the class.
 *   A second list after `>200000` applies to longer input: `2.5/15/0.25 >200000 5/22.5/0.5`
 */
const RATE_KINDS = ['tokens', 'tool_calls', 'service_tier', 'speed', 'inference_geo'] as const;
type RateKind = (typeof RATE_KINDS)[number];

/** One million dollars, as for token prices. */
const MAX_RATE_NANO_USD = 1_000_000_000_000_000n;
/** 1,000 times the price. */
const MAX_MULTIPLIER_PPM = 1_000_000_000;
const MAX_RATES = 100;
const TERM_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const LONG_LIST = /^(?<short>\S+)(?:\s+>\s*(?<above>\d{1,10})\s+(?<long>\S+))?$/;

export interface RateLine {
  /** `kind:name`, e.g. `service_tier:flex`. */
  rate: string;
  value: string;
}

/** Parses rate lines; validated by client and server. */
export const rateLinesSchema = z
  .array(z.object({ rate: z.string().trim(), value: z.string().trim() }))
  .max(MAX_RATES)
  .superRefine((lines, context) => {
    const seen = new Set<string>();
    for (const [at, line] of lines.entries()) {
      const problem =
        findProblem(line) ??
        (seen.has(line.rate) ? { field: 'rate', message: `${line.rate} is listed twice` } : null);
      seen.add(line.rate);
      if (problem !== null)
        context.addIssue({ code: 'custom', path: [at, problem.field], message: problem.message });
    }
  });

function findProblem(line: RateLine): { field: 'rate' | 'value'; message: string } | null {
  const [kind, name] = splitRate(line.rate);
  const known: readonly string[] | null =
    kind === 'tokens' ? MEDIA_TOKEN_CLASSES : kind === 'tool_calls' ? SERVER_TOOLS : null;
  if (kind === null)
    return {
      field: 'rate',
      message: `Enter a rate such as service_tier:flex. Kinds: ${RATE_KINDS.join(', ')}`,
    };
  if (known === null ? !TERM_NAME.test(name) : !known.includes(name))
    return {
      field: 'rate',
      message: `Unknown rate ${kind}:${name}${known === null ? '' : `. Known rates: ${known.join(', ')}`}`,
    };
  if (known !== null)
    return parseRate(line.value) === null
      ? { field: 'value', message: `Enter an amount in USD, such as 10 or 0.25` }
      : null;
  return parseTermRate(line.value) === null
    ? {
        field: 'value',
        message:
          'Enter a multiplier such as 0.5x, or USD prices as input/output/cached/cache write/1 h cache write',
      }
    : null;
}

/** @param lines validated by the schema */
export function toRates(lines: readonly RateLine[]): AdditionalRates | null {
  if (lines.length === 0) return null;
  const media: Record<string, NanoUsd> = {};
  const toolCalls: Record<string, NanoUsd> = {};
  const terms: Record<'service_tier' | 'speed' | 'inference_geo', Record<string, TermRate>> = {
    service_tier: {},
    speed: {},
    inference_geo: {},
  };
  for (const line of lines) {
    const [kind, name] = splitRate(line.rate);
    if (kind === 'tokens' || kind === 'tool_calls')
      (kind === 'tokens' ? media : toolCalls)[name] = orThrow(parseRate(line.value), line);
    else if (kind !== null) terms[kind][name] = orThrow(parseTermRate(line.value), line);
  }
  return {
    media,
    toolCalls,
    serviceTiers: terms.service_tier,
    speeds: terms.speed,
    inferenceGeos: terms.inference_geo,
  };
}

/** Formats rates exactly, so that parsing the result returns the same rates. */
export function toRateLines(rates: AdditionalRates | null | undefined): RateLine[] {
  if (rates === null || rates === undefined) return [];
  const amounts = (kind: RateKind, group: Readonly<Record<string, NanoUsd | undefined>>) =>
    Object.entries(group).flatMap(([name, rate]) =>
      rate === undefined ? [] : [{ rate: `${kind}:${name}`, value: formatUsd(rate) }],
    );
  const terms = (kind: RateKind, group: Readonly<Record<string, TermRate>>) =>
    Object.entries(group).map(([name, rate]) => ({ rate: `${kind}:${name}`, value: formatTermRate(rate) }));
  const lines: Record<keyof AdditionalRates, RateLine[]> = {
    media: amounts('tokens', rates.media),
    toolCalls: amounts('tool_calls', rates.toolCalls),
    serviceTiers: terms('service_tier', rates.serviceTiers),
    speeds: terms('speed', rates.speeds),
    inferenceGeos: terms('inference_geo', rates.inferenceGeos),
  };
  return Object.values(lines)
    .flat()
    .toSorted((a, b) => (a.rate < b.rate ? -1 : 1));
}

function splitRate(rate: string): [RateKind | null, string] {
  const at = rate.indexOf(':');
  const kind = RATE_KINDS.find((each) => each === rate.slice(0, Math.max(at, 0)));
  return [kind ?? null, rate.slice(at + 1)];
}

function parseRate(text: string): NanoUsd | null {
  const amount = parseUsd(text);
  return amount === null || amount > MAX_RATE_NANO_USD ? null : amount;
}

/** Parses `0.5x`, `1.1×` or a price list. */
function parseTermRate(text: string): TermRate | null {
  const multiplier = /^(\d{1,4}(?:\.\d{1,6})?)\s*[x×]$/i.exec(text)?.[1];
  if (multiplier !== undefined) {
    const nanos = parseUsd(multiplier);
    if (nanos === null) return null;
    const ppm = Number(nanos / 1_000n);
    return ppm > MAX_MULTIPLIER_PPM ? null : { kind: 'multiplier', ppm };
  }
  const groups = LONG_LIST.exec(text)?.groups;
  const short = parseList(groups?.['short'] ?? '');
  if (short === null) return null;
  if (groups?.['above'] === undefined) return { kind: 'prices', prices: { ...short, longInput: null } };
  const long = parseList(groups['long'] ?? '');
  const aboveInputTokens = Number(groups['above']);
  if (long === null || aboveInputTokens < 1 || aboveInputTokens > 2_147_483_647) return null;
  return { kind: 'prices', prices: { ...short, longInput: { ...long, aboveInputTokens } } };
}

function parseList(text: string): ClassPrices | null {
  const parts = text.split('/');
  if (parts.length < 2 || parts.length > PRICE_ORDER.length) return null;
  const read = parts.map((part) => (part === '-' || part === '' ? null : (parseRate(part) ?? undefined)));
  const [input, output, cacheRead = null, cacheWrite = null, cacheWrite1h = null] = read;
  if (read.includes(undefined) || input === null || input === undefined) return null;
  if (output === null || output === undefined) return null;
  return {
    inputNanoUsdPerMtok: input,
    outputNanoUsdPerMtok: output,
    cacheReadNanoUsdPerMtok: cacheRead,
    cacheWriteNanoUsdPerMtok: cacheWrite,
    cacheWrite1hNanoUsdPerMtok: cacheWrite1h,
  };
}

function formatTermRate(rate: TermRate): string {
  if (rate.kind === 'prices') return formatPrices(rate.prices);
  const fraction = (rate.ppm % 1_000_000).toString().padStart(6, '0').replace(/0+$/, '');
  return `${Math.floor(rate.ppm / 1_000_000)}${fraction === '' ? '' : `.${fraction}`}x`;
}

function formatPrices({ longInput, ...short }: TermPrices): string {
  if (longInput === null) return formatList(short);
  return `${formatList(short)} >${longInput.aboveInputTokens} ${formatList(longInput)}`;
}

function formatList(prices: ClassPrices): string {
  const parts = PRICE_ORDER.map((field) => prices[field]).map((price) =>
    price === null ? '-' : formatUsd(price),
  );
  while (parts.at(-1) === '-') parts.pop();
  return parts.join('/');
}

function orThrow<T>(value: T | null, line: RateLine): T {
  if (value === null) throw new Error(`${line.value} is not a value of the rate ${line.rate}`);
  return value;
}
