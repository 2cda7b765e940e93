import { sql } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';
import { findUsageSource } from './filter.ts';
import type { UsagePeriod } from './periods.ts';

type Span = Pick<UsagePeriod, 'from' | 'to'>;

/** Spend of an account in each of some spans, which may overlap: its hours are read once. */
export async function sumSpend(
  db: Connection,
  { accountId, spans }: { accountId: string; spans: readonly Span[] },
): Promise<bigint[]> {
  const first = spans.map(({ from }) => from).toSorted((a, b) => a.getTime() - b.getTime())[0];
  const last = spans.map(({ to }) => to).toSorted((a, b) => b.getTime() - a.getTime())[0];
  if (first === undefined || last === undefined) return [];
  const sums = spans.map(
    ({ from, to }) => sql`coalesce(sum(cost_nano_usd) FILTER (
      WHERE hour >= ${from.toISOString()}::timestamptz AND hour < ${to.toISOString()}::timestamptz), 0)::text`,
  );
  const usage = await findUsageSource(db, { accountId, from: first, to: last }, 'hour');
  const [row] = await db.drizzle
    .select({ sums: sql<string[]>`json_build_array(${sql.join(sums, sql`, `)})` })
    .from(usage.from)
    .where(usage.where);
  return (row?.sums ?? []).map(BigInt);
}
