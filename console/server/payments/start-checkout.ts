import { attachCheckout, createPayment } from '@tollgate/db/queries/payments/payments';
import { getCreditCents, priceTopUp } from '@tollgate/db/queries/payments/price-top-up';
import { readBillingOverview } from '@tollgate/db/queries/payments/payments-overview';
import { findCustomer, saveCustomer } from '@tollgate/db/queries/payments/payment-methods';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { inTransaction } from '@tollgate/db/transaction';
import type { Deps } from '../deps.ts';
import { deny, notFound } from '../denial.ts';
import { readTopUpAmount } from './amounts.ts';
import type { PaymentProvider } from './provider.ts';

interface TopUpOrder {
  accountId: string;
  payer: { id: string; email: string };
  /** A plain decimal of dollars. */
  amountUsd: string;
  /** True: the method may be charged again, for automatic top-ups. */
  saveMethod: boolean;
}

/**
 * Stores a payment and creates its payment page. Only the provider's events mark it as paid.
 * @throws a denial if payments are not set up, or the plan needs none
 */
export async function startCheckout(
  deps: Deps,
  provider: PaymentProvider,
  order: TopUpOrder,
): Promise<{ url: string }> {
  const read = readTopUpAmount(order.amountUsd, deps.settings.topUp);
  if (!read.ok) throw deny('BAD_REQUEST', read.message, { field: 'amountUsd' });
  const overview = await readBillingOverview(deps.db, { ...order, provider: provider.name });
  if (overview === null) throw notFound('account');
  if (overview.suspendedAt !== null)
    throw deny('FORBIDDEN', 'This account is suspended. Contact the operator before you pay.');
  if (!overview.plan.isPrepaid)
    throw deny('FORBIDDEN', `The plan ${overview.plan.id} is free, so no top-up is needed.`);
  const payment = await inTransaction(deps.db, async (tx) => {
    const price = await priceTopUp(tx, { accountId: order.accountId, creditCents: read.amountCents });
    const created = await createPayment(tx, {
      ...price,
      accountId: order.accountId,
      createdBy: order.payer.id,
      kind: 'checkout',
      provider: provider.name,
      savesMethod: order.saveMethod,
      payerEmail: order.payer.email,
    });
    await recordAudit(tx, {
      actorUserId: order.payer.id,
      accountId: order.accountId,
      action: 'billing.top_up',
      subject: created.id,
      detail: { amountCents: created.amountCents },
    });
    return created;
  });
  const { sessionId, url } = await provider.createCheckout({
    paymentId: payment.id,
    accountId: order.accountId,
    creditCents: getCreditCents(payment),
    taxes: payment.addedTaxes?.taxes ?? [],
    hasProviderTaxes: payment.taxMode === 'stripe',
    payerEmail: order.payer.email,
    customerId: order.saveMethod ? await getCustomer(deps, provider, order) : null,
  });
  await attachCheckout(deps.db, { paymentId: payment.id, sessionId });
  return { url };
}

/** The provider gives the same customer to two concurrent requests, as the account is the idempotency key. */
async function getCustomer(deps: Deps, provider: PaymentProvider, order: TopUpOrder): Promise<string> {
  const account = { accountId: order.accountId, provider: provider.name };
  const known = await findCustomer(deps.db, account);
  if (known !== null) return known;
  const customerId = await provider.createCustomer({
    accountId: order.accountId,
    email: order.payer.email,
  });
  return saveCustomer(deps.db, { ...account, customerId });
}
