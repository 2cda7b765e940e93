import { inputTokensOf, MEDIA_COUNTS, type NanoUsd, type TokenUsage } from '../money.ts';
import { PLAIN_TERMS, toolCallRate, type RateCard } from './rate-card.ts';
import { SERVER_TOOLS, type MediaTokenClass, type RateTerms, type ServerTool } from './rate-need.ts';
import { fillClasses, plainRates, resolveRates, type FilledPrices } from './resolve-rates.ts';

export type TokenClass = keyof FilledPrices | MediaTokenClass;

/** What a request used of one thing, and its rate. */
export type BillLine = {
  /** The further model that used it; null: the model of the request. */
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
  /** True: the input of the request's model was so long that the rates for long input hold. */
  isLongInput: boolean;
  /** Names of rates that the card lacks; what they are for is billed by a rate that exists, or not at all. */
  missing: string[];
}

/** How a request is billed, beside its usage and its rate card. */
export interface BillTerms {
  /** null or absent: the plain ones. */
  terms?: RateTerms | null | undefined;
  /** Finds the rate card of a further model. null or absent: those models are billed by the card of the request. */
  findCard?:
    | ((iteration: { model: string | null; priceId?: number | undefined }) => RateCard | null)
    | undefined;
}

/**
 * Takes usage apart into lines, each with its rate: the one home of what is billed. Lines of nothing are left out.
 * A rate that the card lacks is named in `missing`; tokens are then billed by the plain rate of their direction.
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

/** @returns true if the rates for long input hold */
function addUsage(found: BillLines, { usage, card, model, terms }: Part): boolean {
  const resolved = resolveRates(card, terms);
  if (!resolved.ok) found.missing.push(resolved.missing);
  const rates = resolved.ok ? resolved.rates : plainRates(card);
  const { longInput } = rates;
  const isLong = longInput !== null && inputTokensOf(usage) > longInput.aboveInputTokens;
  const prices = fillClasses(isLong ? longInput : rates);
  const add = (tokenClass: TokenClass, quantity: number, rateNanoUsd: NanoUsd) => {
    if (quantity > 0)
      found.lines.push({ kind: 'tokens', model, tokenClass, quantity, rateNanoUsd, per: 1_000_000 });
  };
  add('input', usage.inputTokens, prices.input);
  add('cache_read', usage.cacheReadTokens, prices.cache_read);
  add('cache_write', usage.cacheWriteTokens, prices.cache_write);
  add('cache_write_1h', usage.cacheWrite1hTokens, prices.cache_write_1h);
  add('output', usage.outputTokens, prices.output);
  const { extras } = usage;
  if (extras === undefined) return isLong;
  const addMedia = (tokenClass: MediaTokenClass, tokens: number | undefined, plain: NanoUsd) => {
    if (tokens === undefined || tokens === 0) return;
    const rate = rates.media[tokenClass];
    if (rate === undefined && tokenClass !== 'image_input') found.missing.push(`${tokenClass} tokens`);
    // Published media rates have no step for long input of their own: where text costs more then, so does media.
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
