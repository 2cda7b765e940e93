import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { and, desc, eq, isNotNull, lt } from 'drizzle-orm';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { readBilledUsage } from '../requests/billed-usage.ts';
import { newestFirst } from './newest-first.ts';
import { PriceHistory } from './price-history.ts';
import { VIOLATIONS_SHOWN, type LedgerViolation } from './verify-checks.ts';

const CHUNK_ROWS = 20_000;

export interface Recomputed {
  /** Settled requests whose cost was computed again from their tokens, their price and their plan's multiplier. */
  requests: number;
  /** Requests that could not be checked: their price is missing. Earlier releases removed it with the model. */
  withoutPrice: number;
  /** Requests whose stored bill cannot be read. */
  unreadable: number;
}

/**
 * Computes costs again, the newest request first, with the code that bills them: each must come to what was billed, or
 * to more than could be billed.
 * @param limit null: all
 */
export async function recomputeCosts(
  tx: Connection,
  limit: number | null,
): Promise<{ recomputed: Recomputed; wrong: WrongCosts }> {
  const prices = await PriceHistory.read(tx);
  const recomputed: Recomputed = { requests: 0, withoutPrice: 0, unreadable: 0 };
  const wrong: WrongCosts = { violations: [], total: 0 };
  const chunks = newestFirst({ limit, chunkRows: CHUNK_ROWS }, (before, rows) => readChunk(tx, before, rows));
  for await (const rows of chunks) {
    for (const row of rows) {
      const price = prices.get(row.priceId ?? 0);
      const { usage, terms, isReadable } = readBilledUsage(row);
      const iterations = usage.extras?.iterations ?? [];
      if (price === undefined || iterations.some(({ priceId }) => isLost(prices, priceId))) {
        recomputed.withoutPrice += 1;
        continue;
      }
      if (!isReadable) {
        recomputed.unreadable += 1;
        continue;
      }
      recomputed.requests += 1;
      const findCard = (iteration: { priceId?: number | undefined }) =>
        prices.get(iteration.priceId ?? 0) ?? null;
      const strayed = prices.whyNot(price, row);
      if (strayed !== null) {
        note(wrong, { subject: row.id, ...strayed });
        continue;
      }
      const cost = computeCost(usage, price, row.pricePpm, { terms, findCard });
      if (isRight(row, cost)) continue;
      note(wrong, { subject: row.id, expected: `${cost}`, actual: `${row.costNanoUsd}` });
    }
  }
  return { recomputed, wrong };
}

interface WrongCosts {
  violations: LedgerViolation[];
  total: number;
}

function note(wrong: WrongCosts, violation: LedgerViolation): void {
  wrong.total += 1;
  if (wrong.violations.length < VIOLATIONS_SHOWN) wrong.violations.push(violation);
}

const COLUMNS = {
  id: requests.id,
  priceId: requests.priceId,
  pricePpm: requests.pricePpm,
  inputTokens: requests.inputTokens,
  cacheReadTokens: requests.cacheReadTokens,
  cacheWriteTokens: requests.cacheWriteTokens,
  cacheWrite1hTokens: requests.cacheWrite1hTokens,
  outputTokens: requests.outputTokens,
  costNanoUsd: requests.costNanoUsd,
  heldNanoUsd: requests.heldNanoUsd,
  chargesBalance: requests.chargesBalance,
  operatorCostNanoUsd: requests.operatorCostNanoUsd,
  usageExtras: requests.usageExtras,
  billedTerms: requests.billedTerms,
  priceMismatch: requests.priceMismatch,
  model: requests.model,
  upstreamModel: requests.upstreamModel,
  servedTerms: requests.servedTerms,
  startedAt: requests.startedAt,
};
type CostRow = Pick<typeof requests.$inferSelect, keyof typeof COLUMNS>;

async function readChunk(tx: Connection, before: string | null, rows: number): Promise<CostRow[]> {
  return tx.drizzle
    .select(COLUMNS)
    .from(requests)
    .where(
      and(
        eq(requests.state, 'settled'),
        isNotNull(requests.priceId),
        before === null ? undefined : lt(requests.id, before),
      ),
    )
    .orderBy(desc(requests.id))
    .limit(rows);
}

/**
 * A request with a hold may be billed less than it cost: what was held, or, if its replica had been considered stale
 * and the hold released, what was still available. The rest is recorded as unbilled cost. If the provider used
 * something without a known price, all of the hold is billed.
 */
function isRight({ costNanoUsd: billed, ...row }: CostRow, cost: bigint): boolean {
  if (billed === cost) return true;
  if (row.priceMismatch !== null && billed === row.heldNanoUsd) return true;
  const hasHold = row.heldNanoUsd > 0n || row.chargesBalance;
  return hasHold && billed < cost && (billed === row.heldNanoUsd || cost - billed <= row.operatorCostNanoUsd);
}

/** True: a further model was billed by a price that is missing now. Without an id it was billed by the request's own. */
function isLost(prices: PriceHistory, priceId: number | undefined): boolean {
  return priceId !== undefined && prices.get(priceId) === undefined;
}
