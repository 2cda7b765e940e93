import { typedKeys } from '../../runtime/typed-keys.ts';
import { getInputTokens, MEDIA_COUNTS, type NanoUsd, type TokenUsage } from '../money.ts';
import { PLAIN_TERMS, toolCallRate, type RateCard } from './rate-card.ts';
import { SERVER_TOOLS, type MediaTokenClass, type RateTerms, type ServerTool } from './rate-need.ts';
import { fillClasses, plainRates, resolveRates, type FilledPrices } from './resolve-rates.ts';

export type TokenClass = keyof FilledPrices | MediaTokenClass;

/** The count of each class in the usage, in the order of bills. */
const COUNTS = {
  input: 'inputTokens',
  cache_read: 'cacheReadTokens',
  cache_write: 'cacheWriteTokens',
  cache_write_1h: 'cacheWrite1hTokens',
  output: 'outputTokens',
} as const satisfies Record<keyof FilledPrices, keyof TokenUsage>;
const TOKEN_CLASSES = typedKeys(COUNTS);

/** Quantity of one billed unit of a request, with its rate. */
export type BillLine = {
  /** The additional model that used it; null: the model of the request. */
  model: string | null;
  quantity: number;
  /** In nano-dollars per `per` units. */
  rateNanoUsd: NanoUsd;
} & (
  | { kind: 'tokens'; tokenClass: TokenClass; per: 1_000_000 }
  | { kind: 'tool_calls'; tool: ServerTool; per: 1_000 }
);

export interface BillLines {
  lines: BillLine[];
  /** True: the rates for long input apply to the request's model. */
  isLongInput: boolean;
  /** Names of rates missing from the card. Their usage is billed at another rate or not at all. */
  missing: string[];
}

/** Billing options in addition to usage and rate card. */
export interface BillTerms {
  /** null or absent: standard terms. */
  terms?: RateTerms | null | undefined;
  /** Finds the rate card of an additional model. null or absent: use the card of the request. */
  findCard?:
    | ((iteration: { model: string | null; priceId?: number | undefined }) => RateCard | null)
    | undefined;
}

/**
 * Splits usage into bill lines with rates, without empty lines. All billing uses this function.
 * Rates missing from the card are listed in `missing`; their tokens are billed at the standard input or output rate.
 */
export function listBillLines(usage: TokenUsage, card: RateCard, bill: BillTerms = {}): BillLines {
  const found: BillLines = { lines: [], isLongInput: false, missing: [] };
  found.isLongInput = addUsage(found, { usage, card, model: null, terms: bill.terms ?? PLAIN_TERMS });
  for (const iteration of usage.extras?.iterations ?? []) {
    const { model } = iteration;
    const own = model === null ? card : (bill.findCard?.(iteration) ?? null);
    if (own === null) found.missing.push(`model ${model}`);
    addUsage(found, { usage: iteration.usage, card: own ?? card, model, terms: bill.terms ?? PLAIN_TERMS });
  }
  return found;
}

interface Part {
  usage: TokenUsage;
  card: RateCard;
  model: string | null;
  terms: RateTerms;
}

/** @returns true if the rates for long input apply */
function addUsage(found: BillLines, { usage, card, model, terms }: Part): boolean {
  const resolved = resolveRates(card, terms);
  if (!resolved.ok) found.missing.push(resolved.missing);
  const rates = resolved.ok ? resolved.rates : plainRates(card);
  const { longInput } = rates;
  const isLong = longInput !== null && getInputTokens(usage) > longInput.aboveInputTokens;
  const prices = fillClasses(isLong ? longInput : rates);
  const add = (tokenClass: TokenClass, quantity: number, rateNanoUsd: NanoUsd) => {
    if (quantity > 0)
      found.lines.push({ kind: 'tokens', model, tokenClass, quantity, rateNanoUsd, per: 1_000_000 });
  };
  for (const tokenClass of TOKEN_CLASSES) add(tokenClass, usage[COUNTS[tokenClass]], prices[tokenClass]);
  const { extras } = usage;
  if (extras === undefined) return isLong;
  const addMedia = (tokenClass: MediaTokenClass, tokens: number | undefined, plain: NanoUsd) => {
    if (tokens === undefined || tokens === 0) return;
    const rate = rates.media[tokenClass];
    if (rate === undefined && tokenClass !== 'image_input') found.missing.push(`${tokenClass} tokens`);
    // Published media rates have no long-input step. For long input, the text rate applies if it is higher.
    add(tokenClass, tokens, rate === undefined || (isLong && rate < plain) ? plain : rate);
  };
  for (const { count, tokenClass, direction } of MEDIA_COUNTS)
    addMedia(tokenClass, extras[count], prices[direction]);
  for (const tool of SERVER_TOOLS) {
    const quantity = extras.toolCalls?.[tool] ?? 0;
    if (quantity === 0) continue;
    const rateNanoUsd = toolCallRate(card, tool);
    if (rateNanoUsd === undefined) found.missing.push(`tool_calls ${tool}`);
    else found.lines.push({ kind: 'tool_calls', model, tool, quantity, rateNanoUsd, per: 1_000 });
  }
  return isLong;
}
