import { formatUsd } from '@tollgate/core/money/money';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { and, desc, eq, gt, lte, min } from 'drizzle-orm';
import { modelPrices, models } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';
import { hasSamePrices, toModelPrice, toPriceColumns, type ModelPrice } from '../models/model-prices.ts';

const VERSIONS_SHOWN = 100;

/** The versions of a model's prices, those to come first, then the one in force, then older ones. */
export async function listPriceVersions(db: Connection, modelId: string): Promise<ModelPrice[]> {
  const rows = await db.drizzle
    .select()
    .from(modelPrices)
    .where(eq(modelPrices.modelId, modelId))
    .orderBy(desc(modelPrices.effectiveFrom))
    .limit(VERSIONS_SHOWN);
  return rows.map(toModelPrice);
}

/** When the next price of each model takes effect; models without a scheduled price are absent. */
export async function listNextPriceTimes(db: Connection, now: Date): Promise<Map<string, Date>> {
  const rows = await db.drizzle
    .select({ modelId: modelPrices.modelId, at: min(modelPrices.effectiveFrom) })
    .from(modelPrices)
    .where(gt(modelPrices.effectiveFrom, now))
    .groupBy(modelPrices.modelId);
  return new Map(rows.flatMap(({ modelId, at }) => (at === null ? [] : [[modelId, at]])));
}

export type SetPriceResult =
  | { ok: true }
  /** `unchanged`: these are the prices that hold at that time anyway. */
  | { ok: false; reason: 'unknown_model' | 'unchanged' | 'time_taken' };

/** Gives a model a price from a time on, which may lie ahead; requests that started before keep theirs. */
export async function setModelPrice(
  db: Connection,
  input: { modelId: string; prices: RateCard; effectiveFrom: Date; actorUserId: string },
): Promise<SetPriceResult> {
  const { modelId, prices, effectiveFrom, actorUserId } = input;
  return inTransaction(db, async (tx) => {
    // Two that change one price at the same time take turns.
    const held = await tx.drizzle.select().from(models).where(eq(models.id, modelId)).for('update');
    if (held.length === 0) return { ok: false, reason: 'unknown_model' };
    const [before] = await tx.drizzle
      .select()
      .from(modelPrices)
      .where(and(eq(modelPrices.modelId, modelId), lte(modelPrices.effectiveFrom, effectiveFrom)))
      .orderBy(desc(modelPrices.effectiveFrom))
      .limit(1);
    if (before?.effectiveFrom.getTime() === effectiveFrom.getTime())
      return { ok: false, reason: 'time_taken' };
    if (before !== undefined && hasSamePrices(toModelPrice(before), prices))
      return { ok: false, reason: 'unchanged' };
    await tx.drizzle.insert(modelPrices).values({ modelId, effectiveFrom, ...toPriceColumns(prices) });
    const former = before === undefined ? {} : describePrices(before);
    const detail = {
      effectiveFrom: effectiveFrom.toISOString(),
      ...describeChange(former, describePrices(toPriceColumns(prices))),
    };
    await recordAudit(tx, { actorUserId, action: 'model.price', subject: modelId, detail });
    return { ok: true };
  });
}

/**
 * Cancels a scheduled price.
 * @param input.notBefore a price that takes effect sooner may be in use already
 * @returns false if there is no such price
 */
export async function cancelModelPrice(
  db: Connection,
  input: { modelId: string; priceId: number; notBefore: Date; actorUserId: string },
): Promise<boolean> {
  const { modelId, priceId, notBefore, actorUserId } = input;
  return inTransaction(db, async (tx) => {
    const [removed] = await tx.drizzle
      .delete(modelPrices)
      .where(
        and(
          eq(modelPrices.modelId, modelId),
          eq(modelPrices.id, priceId),
          gt(modelPrices.effectiveFrom, notBefore),
        ),
      )
      .returning({ effectiveFrom: modelPrices.effectiveFrom });
    if (removed === undefined) return false;
    const detail = { effectiveFrom: removed.effectiveFrom.toISOString() };
    await recordAudit(tx, { actorUserId, action: 'model.price_cancel', subject: modelId, detail });
    return true;
  });
}

/** Prices per million tokens in dollars, as the audit log stores them. */
function describePrices(columns: object): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]: [string, unknown]) =>
      name.endsWith('NanoUsdPerMtok') && (typeof value === 'bigint' || value === null)
        ? [[name.replace('NanoUsd', 'Usd'), value === null ? null : formatUsd(value)]]
        : [],
    ),
  );
}
