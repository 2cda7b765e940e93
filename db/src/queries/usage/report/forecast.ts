import { findLastDays } from '@tollgate/core/requests/last-days';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';
import { findUsagePeriods } from './periods.ts';
import { sumSpend } from './spend.ts';

/** Full days whose average continues until the end of the month: a whole week, since weekends differ. */
export const FORECAST_DAYS = 7;

export interface MonthSpend {
  /** The running month of the calendar in the reader's time zone. */
  from: Date;
  /** The first moment of the next one. */
  to: Date;
  spentNanoUsd: bigint;
  /**
   * What the month will have cost: the spend until now, and for the time that is left the average of the last full days. null:
   * the account was used for less than these days, or not at all in them.
   */
  forecastNanoUsd: bigint | null;
}

/** @param query.timeZone one that the database knows */
export async function readMonthSpend(
  db: Connection,
  query: { accountId: string; timeZone: string; nowMs: number },
): Promise<MonthSpend> {
  const { accountId, timeZone, nowMs } = query;
  const span = { kind: 'dates', ...findMonth(nowMs, timeZone) } as const;
  const { current: month } = await findUsagePeriods(db, { span, bucket: 'month', timeZone, nowMs });
  const today = findLastDays({ days: 1, timeZone, nowMs });
  const { fromMs } = findLastDays({ days: FORECAST_DAYS + 1, timeZone, nowMs });
  // A day can have 23 or 25 hours.
  const second = findLastDays({ days: FORECAST_DAYS, timeZone, nowMs });
  const fullDays = { from: new Date(fromMs), to: new Date(today.fromMs) };
  const [[spent = 0n, recent = 0n], isOldEnough] = await Promise.all([
    sumSpend(db, { accountId, spans: [month, fullDays] }),
    wasUsedBefore(db, { accountId, moment: new Date(second.fromMs) }),
  ]);
  const leftMs = BigInt(Math.max(0, month.to.getTime() - nowMs));
  const rest = (recent * leftMs) / BigInt(today.fromMs - fromMs);
  return {
    from: month.from,
    to: month.to,
    spentNanoUsd: spent,
    forecastNanoUsd: isOldEnough && recent > 0n ? spent + rest : null,
  };
}

/** The first and the last day of a month. */
function findMonth(nowMs: number, timeZone: string): { from: string; to: string } {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(nowMs);
  const [year = 0, month = 0] = today.split('-').map(Number);
  const [from, to] = [Date.UTC(year, month - 1, 1), Date.UTC(year, month, 0)] as const;
  const write = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: write(from), to: write(to) };
}

async function wasUsedBefore(
  db: Connection,
  { accountId, moment }: { accountId: string; moment: Date },
): Promise<boolean> {
  const rows = await db.drizzle.execute(sql`SELECT FROM usage_hourly
    WHERE account_id = ${accountId} AND hour < ${moment.toISOString()}::timestamptz LIMIT 1`);
  return rows.length > 0;
}
