import { and, count, gte, isNotNull, max, sql } from 'drizzle-orm';
import { requests } from '../../schema/requests.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';

/** Answers of a route that were not what was priced. */
export interface RouteMismatches {
  routeId: string;
  requests: number;
  lastSeenAt: Date;
  /** What was used, of the latest of them: `model gpt-x`. */
  example: string;
}

/** How many answers since `since` were not what was priced, by route. */
export async function countPriceMismatches(db: Connection, since: Date): Promise<RouteMismatches[]> {
  const rows = await db.drizzle
    .select({
      routeId: requests.routeId,
      requests: count(),
      lastSeenAt: max(requests.startedAt),
      example: sql<string>`(array_agg(${requests.priceMismatch} ORDER BY ${requests.startedAt} DESC))[1]`,
    })
    .from(requests)
    .where(and(isNotNull(requests.priceMismatch), gte(requests.startedAt, since)))
    .groupBy(requests.routeId);
  return rows.flatMap(({ routeId, lastSeenAt, ...row }) =>
    routeId === null || lastSeenAt === null ? [] : [{ ...row, routeId, lastSeenAt }],
  );
}

/**
 * Takes the routes of which operators are to be notified: each once, until it was quiet for as long as `quietMs`. In the
 * transaction that queues the emails.
 */
export async function claimMismatchAlerts(
  tx: Connection,
  { since, now, quietMs }: { since: Date; now: Date; quietMs: number },
): Promise<RouteMismatches[]> {
  const found = await countPriceMismatches(tx, since);
  const claimed: RouteMismatches[] = [];
  for (const route of found) {
    const [row] = await tx.drizzle.execute<{ is_new: boolean }>(sql`
      INSERT INTO price_mismatch_alerts AS a (route_id, notified_at, last_seen_at)
      VALUES (${route.routeId}, ${now.toISOString()}, ${route.lastSeenAt.toISOString()})
      ON CONFLICT (route_id) DO UPDATE SET
        notified_at = CASE WHEN excluded.last_seen_at - a.last_seen_at > ${quietMs} * interval '1 millisecond'
          THEN excluded.notified_at ELSE a.notified_at END,
        last_seen_at = greatest(a.last_seen_at, excluded.last_seen_at)
      RETURNING notified_at = ${now.toISOString()}::timestamptz AS is_new`);
    if (row?.is_new === true) claimed.push(route);
  }
  return claimed;
}

/** The operators' verified emails. */
export async function listOperatorEmails(db: Connection): Promise<string[]> {
  const rows = await db.drizzle
    .select({ email: users.email })
    .from(users)
    .where(and(sql`${users.isOperator}`, isNotNull(users.emailVerifiedAt)))
    .orderBy(users.email);
  return rows.map(({ email }) => email);
}
