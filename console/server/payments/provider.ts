import type { Payment, PaymentProviderName } from '@tollgate/db/queries/payments/payments';
import type { PaymentFact } from './payment-fact.ts';

export interface CheckoutOrder {
  /** Also the idempotency key: asking again for the same payment gives the same page. */
  paymentId: string;
  accountId: string;
  amountCents: number;
  payerEmail: string;
  /** The account as the provider knows it; null: it need not, nothing is saved. */
  customerId: string | null;
}

export interface ChargeOrder {
  /** Also the idempotency key: asked again, the provider charges once. */
  paymentId: string;
  accountId: string;
  amountCents: number;
  customerId: string;
  methodId: string;
}

/** How something was paid, as a receipt shows it. */
export interface MethodDetails {
  /** null: the provider knows no one who could be charged again. */
  customerId: string | null;
  methodId: string;
  /** `visa`; of other methods their kind: `us_bank_account`. */
  brand: string;
  last4: string;
}

/** Who takes the money: Stripe, or a page of the console that moves none. */
export interface PaymentProvider {
  name: PaymentProviderName;
  /** What the provider signs its events with. */
  webhookSecret: string;
  /** Makes the page on which a person pays. */
  createCheckout(order: CheckoutOrder): Promise<{ sessionId: string; url: string }>;
  /** Makes the account known, so that a method can be saved for it. @returns the provider's id of it */
  createCustomer(account: { accountId: string; email: string }): Promise<string>;
  /**
   * Charges a saved method while no one is there.
   * @returns what came of it
   * @throws if no one knows what came of it: ask again, for the same payment
   */
  chargeSavedMethod(order: ChargeOrder): Promise<PaymentFact>;
  /** @returns what a payment has come to; null: nothing yet */
  lookUp(payment: Payment): Promise<PaymentFact | null>;
  /** @returns which payment an intent was made for; null: none of ours */
  findPaymentId(intentId: string): Promise<string | null>;
  listRefunds(intentId: string): Promise<PaymentFact[]>;
  /** Forgets a saved method; done too where it is not known (any more). @throws where it may be known still */
  removeMethod(methodId: string): Promise<void>;
  /** Forgets a customer with all that is saved for them, as {@link removeMethod} does; what they paid stays on record. */
  removeCustomer(customerId: string): Promise<void>;
  /** @returns null if the provider does not say */
  describeMethod(intentId: string): Promise<MethodDetails | null>;
}
