import { explainCost, formatZeptoUsd, type CostLine } from '@tollgate/core/money/explain-cost';
import { formatUsd } from '@tollgate/core/money/money';
import { toPriceTerms, type PriceTerms } from '@tollgate/core/money/price-terms';
import type { TokenClass } from '@tollgate/core/money/rates/bill-lines';
import type { RateTerms, ServerTool } from '@tollgate/core/money/rates/rate-need';
import type { RequestRecordRow } from '@tollgate/db/queries/requests/find-request';

/** A line of a bill; amounts in USD. */
export interface CostLineView {
  of: { kind: 'tokens'; tokenClass: TokenClass } | { kind: 'tool_calls'; tool: ServerTool };
  /** The further model that used it; null: the model of the request. */
  model: string | null;
  quantity: number;
  /** For a million tokens, or a thousand calls. */
  rateUsd: string;
  amountUsd: string;
}

export interface CostView {
  lines: CostLineView[];
  isLongInput: boolean;
  /** The terms that it is billed by; null: the plain ones. */
  terms: RateTerms | null;
  /** Rates that the price version lacks. */
  missing: string[];
  multiplierPpm: number;
  /** True: with a credential of the account, so that the multiplier is the fee of its plan. */
  isOwn: boolean;
  /** What the plan adds; below 0: a discount. In USD, as all that follows. */
  planUsd: string;
  roundingUsd: string;
  cappedUsd: string;
  /** The whole price version that it was billed by, in USD per million tokens. */
  prices: PriceTerms;
  priceSince: string;
}

/** @returns null if the request has no price, its price is missing, or it has not ended */
export function toCostView({ request, price, billed, furtherPrices }: RequestRecordRow): CostView | null {
  if (price === null || request.state === 'held' || !billed.isReadable) return null;
  const explained = explainCost({
    usage: billed.usage,
    card: price,
    bill: { terms: billed.terms, findCard: ({ priceId }) => furtherPrices.get(priceId ?? 0) ?? null },
    multiplierPpm: request.pricePpm,
    billedNanoUsd: request.costNanoUsd,
  });
  return {
    lines: explained.lines.map(toLineView),
    isLongInput: explained.isLongInput,
    terms: billed.terms,
    missing: explained.missing,
    multiplierPpm: request.pricePpm,
    isOwn: request.ownCredential,
    planUsd: formatZeptoUsd(explained.planZeptoUsd),
    roundingUsd: formatZeptoUsd(explained.roundingZeptoUsd),
    cappedUsd: formatZeptoUsd(explained.cappedZeptoUsd),
    prices: toPriceTerms(price),
    priceSince: price.effectiveFrom.toISOString(),
  };
}

function toLineView(line: CostLine): CostLineView {
  return {
    of:
      line.kind === 'tokens'
        ? { kind: 'tokens', tokenClass: line.tokenClass }
        : { kind: 'tool_calls', tool: line.tool },
    model: line.model,
    quantity: line.quantity,
    rateUsd: formatUsd(line.rateNanoUsd),
    amountUsd: formatZeptoUsd(line.amountZeptoUsd),
  };
}
