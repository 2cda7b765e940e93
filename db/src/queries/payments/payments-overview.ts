import { and, eq, sql } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { balances } from '../../schema/ledger.ts';
import { autoTopUps, balanceAlerts, paymentMethods } from '../../schema/payments.ts';
import { plans } from '../../schema/plans.ts';
import type { Connection } from '../../transaction.ts';
import type { Plan } from '../plans/plan-terms.ts';
import type { PaymentProviderName } from './payments.ts';
import { readRolledUntil, getUnposted } from '../usage/rolls/sources.ts';

/** The billing data that an account's members see. */
export interface BillingOverview {
  suspendedAt: Date | null;
  availableNanoUsd: bigint;
  heldNanoUsd: bigint;
  /** Charged already and not yet in the ledger. */
  unpostedNanoUsd: bigint;
  /** The terms that members see. */
  plan: Omit<Plan, 'includedCreditNanoUsd' | 'forwardsUnknown' | 'countsCacheReads' | 'createdAt'>;
  /** null: never set up. */
  autoTopUp: typeof autoTopUps.$inferSelect | null;
  /** null: no alert. */
  lowBalanceNanoUsd: bigint | null;
  /** null: none is saved with this provider. */
  savedMethod: { brand: string; last4: string } | null;
}

/**
 * Reads the amounts in one statement, so that they agree: available is the sum of the ledger's entries minus
 * unposted usage.
 * @param provider whose saved method counts; null: no payment provider is configured
 */
export async function readBillingOverview(
  db: Connection,
  { accountId, provider }: { accountId: string; provider: PaymentProviderName | null },
): Promise<BillingOverview | null> {
  const rolledUntil = await readRolledUntil(db);
  const [row] = await db.drizzle
    .select({
      suspendedAt: accounts.suspendedAt,
      availableNanoUsd: balances.availableNanoUsd,
      heldNanoUsd: balances.heldNanoUsd,
      unpostedNanoUsd: getUnposted(rolledUntil, accountId),
      plan: {
        id: plans.id,
        rpm: plans.rpm,
        tpm: plans.tpm,
        pricePpm: plans.pricePpm,
        ownCredentialPpm: plans.ownCredentialPpm,
        isPrepaid: plans.isPrepaid,
        allowedModels: plans.allowedModels,
      },
      autoTopUp: autoTopUps,
      lowBalanceNanoUsd: balanceAlerts.thresholdNanoUsd,
      methodId: paymentMethods.methodId,
      brand: paymentMethods.brand,
      last4: paymentMethods.last4,
    })
    .from(accounts)
    .innerJoin(balances, eq(balances.accountId, accounts.id))
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .leftJoin(autoTopUps, eq(autoTopUps.accountId, accounts.id))
    .leftJoin(balanceAlerts, eq(balanceAlerts.accountId, accounts.id))
    .leftJoin(
      paymentMethods,
      and(
        eq(paymentMethods.accountId, accounts.id),
        provider === null ? sql`false` : eq(paymentMethods.provider, provider),
      ),
    )
    .where(eq(accounts.id, accountId));
  if (row === undefined) return null;
  const { methodId, brand, last4, ...overview } = row;
  const hasMethod = methodId !== null && brand !== null && last4 !== null;
  return { ...overview, savedMethod: hasMethod ? { brand, last4 } : null };
}
