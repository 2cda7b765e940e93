import type { TaxLine } from '@tollgate/core/money/taxes';
import type { Payment, PaymentProviderName } from '@tollgate/db/queries/payments/payments';
import type { ReportedTaxes } from '@tollgate/db/queries/payments/price-top-up';
import type { PaymentFact, ReversalFact } from './payment-fact.ts';

export interface CheckoutOrder {
  /** Also the idempotency key: asking again for the same payment gives the same page. */
  paymentId: string;
  accountId: string;
  creditCents: number;
  /** Added to the credit. */
  taxes: readonly TaxLine[];
  /** True: the provider determines the taxes by the customer's address, and adds them. */
  hasProviderTaxes: boolean;
  payerEmail: string;
  /** The account as the provider knows it; null: it need not, nothing is saved. */
  customerId: string | null;
}

export interface ChargeOrder {
  /** Also the idempotency key: a repeated request is charged once. */
  paymentId: string;
  accountId: string;
  amountCents: number;
  customerId: string;
  methodId: string;
  /** Of the taxes in the amount; null: the provider did not determine them. */
  taxCalculationId: string | null;
}

export interface RefundOrder {
  /** Also the idempotency key: a repeated request is refunded once. */
  requestId: string;
  paymentId: string;
  intentId: string;
  amountCents: number;
  /** True: an earlier request may have been made, so that only its own answer says that it was not. */
  isRepeated: boolean;
}

/** The refund, or why the provider refused it, in its words. */
export type RefundAnswer = { ok: true; fact: ReversalFact } | { ok: false; failure: string };

export interface TaxOrder {
  /** Also the idempotency key: a repeated request gets the same taxes. */
  paymentId: string;
  creditCents: number;
  customerId: string;
}

/** How something was paid, as a receipt shows it. */
export interface MethodDetails {
  /** null: no chargeable customer. */
  customerId: string | null;
  methodId: string;
  /** `visa`; of other methods their kind: `us_bank_account`. */
  brand: string;
  last4: string;
}

/** A payment provider: Stripe, or a test page of the console that moves no money. */
export interface PaymentProvider {
  name: PaymentProviderName;
  /** What the provider signs its events with. */
  webhookSecret: string;
  /** Makes the page on which a person pays. */
  createCheckout(order: CheckoutOrder): Promise<{ sessionId: string; url: string }>;
  /** Creates the customer, so that a payment method can be saved. @returns the provider's id */
  createCustomer(account: { accountId: string; email: string }): Promise<string>;
  /**
   * Charges a saved payment method without the user.
   * @returns the result
   * @throws if the result is unknown: repeat with the same payment
   */
  chargeSavedMethod(order: ChargeOrder): Promise<PaymentFact>;
  /** Reads the taxes that the provider added on its page. @throws if they are unknown */
  readTaxes(
    payment: Payment,
    ref: { sessionId: string | null; intentId: string | null },
  ): Promise<ReportedTaxes>;
  /** Determines the taxes of a charge without the user. @throws as {@link chargeSavedMethod} */
  calculateTaxes(
    order: TaxOrder,
  ): Promise<{ ok: true; taxes: ReportedTaxes } | { ok: false; failure: string }>;
  /** @returns the current state of a payment; null: none yet */
  lookUp(payment: Payment): Promise<PaymentFact | null>;
  /** @returns which payment an intent was made for; null: none of ours */
  findPaymentId(intentId: string): Promise<string | null>;
  listRefunds(intentId: string): Promise<ReversalFact[]>;
  /**
   * Refunds a payment, in part or whole.
   * @throws if the result is unknown: repeat with the same request
   */
  refund(order: RefundOrder): Promise<RefundAnswer>;
  /** Deletes a saved payment method; succeeds if it no longer exists. @throws if it may still exist */
  removeMethod(methodId: string): Promise<void>;
  /** Deletes a customer and its saved methods, like {@link removeMethod}; past payments stay on record. */
  removeCustomer(customerId: string): Promise<void>;
  /** @returns null if the provider does not say */
  describeMethod(intentId: string): Promise<MethodDetails | null>;
}
