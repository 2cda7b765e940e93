import { eq, sql } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { billingDetails } from '../../schema/documents.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

/** What an account is billed as; empty texts were not given. */
export type BillingDetails = Omit<typeof billingDetails.$inferSelect, 'accountId' | 'updatedAt'>;

export const NO_DETAILS: BillingDetails = { companyName: '', address: '', country: null, taxId: '' };

export async function readBillingDetails(db: Connection, accountId: string): Promise<BillingDetails> {
  const [row] = await db.drizzle
    .select({
      companyName: billingDetails.companyName,
      address: billingDetails.address,
      country: billingDetails.country,
      taxId: billingDetails.taxId,
    })
    .from(billingDetails)
    .where(eq(billingDetails.accountId, accountId));
  return row ?? NO_DETAILS;
}

/** Changes what later receipts contain, with an audit entry if something changes. */
export async function setBillingDetails(
  db: Connection,
  change: { accountId: string; actorUserId: string; details: BillingDetails },
): Promise<void> {
  const { accountId, actorUserId, details } = change;
  await inTransaction(db, async (tx) => {
    // Changes of an account follow each other, also the first one.
    await tx.drizzle
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for('no key update');
    const before = await readBillingDetails(tx, accountId);
    if (JSON.stringify(before) === JSON.stringify(details)) return;
    await tx.drizzle
      .insert(billingDetails)
      .values({ accountId, ...details })
      .onConflictDoUpdate({ target: billingDetails.accountId, set: { ...details, updatedAt: sql`now()` } });
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: 'billing.details',
      subject: accountId,
      detail: { from: before, to: details },
    });
  });
}
