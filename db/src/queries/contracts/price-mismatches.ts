import { and, count, eq, gte, isNotNull, lt, max, sql } from 'drizzle-orm';
import { priceMismatchAlerts } from '../../schema/contracts.ts';
import { requests } from '../../schema/requests.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';

/** Answers of a route that were not what was priced. */
export interface RouteMismatches {
  routeId: string;
  requests: number;
  lastSeenAt: Date;
  /** What the latest of them used: `model gpt-x`. */
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
    .groupBy(requests.routeId)
    // Two consoles that claim alerts take the rows in one order, so they cannot wait for each other.
    .orderBy(requests.routeId);
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
    const { routeId, lastSeenAt } = route;
    const rows = await tx.drizzle
      .insert(priceMismatchAlerts)
      .values({ routeId, notifiedAt: now, lastSeenAt })
      .onConflictDoUpdate({
        target: priceMismatchAlerts.routeId,
        set: { notifiedAt: now, lastSeenAt },
        setWhere: lt(priceMismatchAlerts.lastSeenAt, new Date(lastSeenAt.getTime() - quietMs)),
      })
      .returning({ routeId: priceMismatchAlerts.routeId });
    if (rows.length > 0) claimed.push(route);
    else await noteSeen(tx, routeId, lastSeenAt);
  }
  return claimed;
}

async function noteSeen(tx: Connection, routeId: string, lastSeenAt: Date): Promise<void> {
  await tx.drizzle
    .update(priceMismatchAlerts)
    .set({ lastSeenAt })
    .where(and(eq(priceMismatchAlerts.routeId, routeId), lt(priceMismatchAlerts.lastSeenAt, lastSeenAt)));
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
