import { createId } from '@tollgate/core/runtime/ids';
import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { ledgerChecks } from '../../schema/installation.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

/** A running check whose process has been silent for so long has failed. */
const SILENT_SECONDS = 60;

export interface LedgerCheckRow {
  id: string;
  /** null: a deleted user. */
  startedBy: string | null;
  startedAt: Date;
  finishedAt: Date | null;
  /** True: it ended without a result, or its process did. */
  isLost: boolean;
  report: unknown;
}

/** @returns the check's id; null if one is running already */
export async function startLedgerCheck(db: Connection, startedBy: string): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    await tx.drizzle
      .update(ledgerChecks)
      .set({ finishedAt: sql`now()` })
      .where(and(isNull(ledgerChecks.finishedAt), lt(ledgerChecks.heartbeatAt, silentSince())));
    const [check] = await tx.drizzle
      .insert(ledgerChecks)
      .values({ id: createId('chk'), startedBy })
      .onConflictDoNothing()
      .returning({ id: ledgerChecks.id });
    if (check === undefined) return null;
    await recordAudit(tx, { actorUserId: startedBy, action: 'ledger.check', subject: check.id });
    return check.id;
  });
}

/** The process that checks is alive. */
export async function beatLedgerCheck(db: Connection, id: string): Promise<void> {
  await db.drizzle
    .update(ledgerChecks)
    .set({ heartbeatAt: sql`now()` })
    .where(and(eq(ledgerChecks.id, id), isNull(ledgerChecks.finishedAt)));
}

/** @param report null: it came to nothing */
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
      isLost: sql<boolean>`${ledgerChecks.report} IS NULL AND (${ledgerChecks.finishedAt} IS NOT NULL OR ${ledgerChecks.heartbeatAt} < ${silentSince()})`,
      report: ledgerChecks.report,
    })
    .from(ledgerChecks)
    .leftJoin(users, eq(users.id, ledgerChecks.startedBy))
    .orderBy(desc(ledgerChecks.startedAt))
    .limit(1);
  return row ?? null;
}

function silentSince() {
  return sql`now() - make_interval(secs => ${SILENT_SECONDS})`;
}
