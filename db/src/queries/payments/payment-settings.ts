import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { autoTopUps, balanceAlerts, paymentMethods } from '../../schema/payments.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import type { PaymentProviderName } from './payments.ts';

export interface AutoTopUpTerms {
  enabled: boolean;
  /** Charged when less than this is available. */
  thresholdNanoUsd: bigint;
  amountCents: number;
  /** Of a calendar month (UTC); null: no maximum. */
  monthlyMaxCents: number | null;
}

/**
 * Sets when an account is charged automatically; earlier failures no longer count.
 * @returns false if it shall be enabled and no method is saved
 */
export async function setAutoTopUp(
  db: Connection,
  input: { accountId: string; actorUserId: string; provider: PaymentProviderName; terms: AutoTopUpTerms },
): Promise<boolean> {
  const { accountId, terms } = input;
  return inTransaction(db, async (tx) => {
    if (terms.enabled && !(await hasSavedMethod(tx, input))) return false;
    const row = { ...terms, failures: 0, nextAttemptAt: null, maxNotifiedAt: null, updatedAt: sql`now()` };
    await tx.drizzle
      .insert(autoTopUps)
      .values({ accountId, ...row })
      .onConflictDoUpdate({ target: autoTopUps.accountId, set: row });
    await recordAudit(tx, {
      actorUserId: input.actorUserId,
      accountId,
      action: 'billing.auto_top_up',
      subject: accountId,
      detail: { ...terms, thresholdNanoUsd: terms.thresholdNanoUsd.toString() },
    });
    return true;
  });
}

/** @param input.thresholdNanoUsd null: no alert */
export async function setLowBalanceAlert(
  db: Connection,
  input: { accountId: string; actorUserId: string; thresholdNanoUsd: bigint | null },
): Promise<void> {
  const { accountId, thresholdNanoUsd } = input;
  await inTransaction(db, async (tx) => {
    if (thresholdNanoUsd === null) {
      await tx.drizzle.delete(balanceAlerts).where(eq(balanceAlerts.accountId, accountId));
    } else {
      await tx.drizzle
        .insert(balanceAlerts)
        .values({ accountId, thresholdNanoUsd })
        .onConflictDoUpdate({
          target: balanceAlerts.accountId,
          set: { thresholdNanoUsd, notifiedAt: null },
        });
    }
    await recordAudit(tx, {
      actorUserId: input.actorUserId,
      accountId,
      action: 'billing.low_balance_alert',
      subject: accountId,
      detail: { thresholdNanoUsd: thresholdNanoUsd?.toString() ?? null },
    });
  });
}

async function hasSavedMethod(
  db: Connection,
  { accountId, provider }: { accountId: string; provider: PaymentProviderName },
): Promise<boolean> {
  const rows = await db.drizzle
    .select({ methodId: paymentMethods.methodId })
    .from(paymentMethods)
    .where(
      and(
        eq(paymentMethods.accountId, accountId),
        eq(paymentMethods.provider, provider),
        isNotNull(paymentMethods.methodId),
      ),
    );
  return rows.length > 0;
}
