import type { PaymentProviderName } from '@tollgate/db/queries/payments';

export interface CheckoutOrder {
  /** Also the idempotency key: asking again for the same payment gives the same page. */
  paymentId: string;
  accountId: string;
  amountCents: number;
  payerEmail: string;
  /** The account as the provider knows it; null: it need not, nothing is saved. */
  customerId: string | null;
}

/** Who takes the money. */
export interface PaymentProvider {
  name: PaymentProviderName;
  /** Makes the page on which a person pays. */
  createCheckout(order: CheckoutOrder): Promise<{ sessionId: string; url: string }>;
  /** Makes the account known, so that a method can be saved for it. @returns the provider's id of it */
  createCustomer(account: { accountId: string; email: string }): Promise<string>;
}
