import { and, eq, sql } from 'drizzle-orm';
import { paymentMethods } from '../../schema/payments.ts';
import type { Connection } from '../../transaction.ts';
import type { PaymentProviderName } from './payments.ts';

interface AccountAtProvider {
  accountId: string;
  provider: PaymentProviderName;
}

/** @returns the provider's id of an account; null: it does not know it yet */
export async function findCustomer(db: Connection, account: AccountAtProvider): Promise<string | null> {
  const [row] = await db.drizzle
    .select({ customerId: paymentMethods.customerId })
    .from(paymentMethods)
    .where(isAccount(account));
  return row?.customerId ?? null;
}

/** Keeps the provider's id of an account. @returns the id that is kept: the first wins */
export async function saveCustomer(
  db: Connection,
  customer: AccountAtProvider & { customerId: string },
): Promise<string> {
  await db.drizzle.insert(paymentMethods).values(customer).onConflictDoNothing();
  return (await findCustomer(db, customer)) ?? customer.customerId;
}

/** Keeps the method that an account may be charged with again; the newest counts. */
export async function saveMethod(
  tx: Connection,
  method: AccountAtProvider & { customerId: string; methodId: string; brand: string; last4: string },
): Promise<void> {
  const { customerId, methodId, brand, last4 } = method;
  await tx.drizzle
    .insert(paymentMethods)
    .values(method)
    .onConflictDoUpdate({
      target: [paymentMethods.accountId, paymentMethods.provider],
      set: { customerId, methodId, brand, last4, updatedAt: sql`now()` },
    });
}

function isAccount({ accountId, provider }: AccountAtProvider) {
  return and(eq(paymentMethods.accountId, accountId), eq(paymentMethods.provider, provider));
}
