import { createId } from '@tollgate/core/runtime/ids';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { ledgerChecks } from '../../schema/installation.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueJob } from '../jobs/queue-job.ts';

export interface LedgerCheckRow {
  id: string;
  /** null: a deleted user. */
  startedBy: string | null;
  startedAt: Date;
  finishedAt: Date | null;
  /** null: it is queued or running, or it failed. */
  report: unknown;
}

/** Queues a check as a job. @returns the check's id; null if one is queued or running already */
export async function startLedgerCheck(db: Connection, startedBy: string): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    const [check] = await tx.drizzle
      .insert(ledgerChecks)
      .values({ id: createId('chk'), startedBy })
      .onConflictDoNothing()
      .returning({ id: ledgerChecks.id });
    if (check === undefined) return null;
    await queueJob(tx, { name: 'verify-ledger', key: check.id, payload: { checkId: check.id } });
    await recordAudit(tx, { actorUserId: startedBy, action: 'ledger.check', subject: check.id });
    return check.id;
  });
}

/** @param report null: the check failed */
export async function finishLedgerCheck(db: Connection, id: string, report: object | null): Promise<void> {
  await db.drizzle
    .update(ledgerChecks)
    .set({ finishedAt: sql`now()`, report })
    .where(and(eq(ledgerChecks.id, id), isNull(ledgerChecks.finishedAt)));
}

/** The newest check, running or not; null: no check was requested yet. */
export async function findNewestLedgerCheck(db: Connection): Promise<LedgerCheckRow | null> {
  const [row] = await db.drizzle
    .select({
      id: ledgerChecks.id,
      startedBy: users.email,
      startedAt: ledgerChecks.startedAt,
      finishedAt: ledgerChecks.finishedAt,
      report: ledgerChecks.report,
    })
    .from(ledgerChecks)
    .leftJoin(users, eq(users.id, ledgerChecks.startedBy))
    .orderBy(desc(ledgerChecks.startedAt))
    .limit(1);
  return row ?? null;
}
