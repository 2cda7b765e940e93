import { and, eq, sql } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { requestBodies } from '../../schema/request-bodies.ts';
import type { Connection } from '../../transaction.ts';
import { getRetentionCutoff } from '../retention/retention-setting.ts';
import type { SealedBodies } from './insert-bodies.ts';

/** @returns null if nothing was logged, or its retention is over and it waits to be deleted */
export async function findBodies(
  db: Connection,
  query: { accountId: string; requestId: string; now: Date },
): Promise<SealedBodies | null> {
  const [row] = await db.drizzle
    .select({ bodies: requestBodies })
    .from(requestBodies)
    .innerJoin(accounts, eq(accounts.id, requestBodies.accountId))
    .where(
      and(
        eq(requestBodies.accountId, query.accountId),
        eq(requestBodies.requestId, query.requestId),
        sql`${requestBodies.startedAt} >= ${getRetentionCutoff('bodies', query.now)}`,
      ),
    );
  if (row === undefined) return null;
  const { bodies } = row;
  return {
    accountId: bodies.accountId,
    requestId: bodies.requestId,
    startedAtMs: bodies.startedAt.getTime(),
    request: {
      sealed: bodies.requestSealed,
      bytes: bodies.requestBytes,
      isTruncated: bodies.requestTruncated,
    },
    answer:
      bodies.answerSealed === null
        ? null
        : { sealed: bodies.answerSealed, bytes: bodies.answerBytes, isTruncated: bodies.answerTruncated },
  };
}
