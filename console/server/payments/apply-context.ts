import type { ReportedTaxes } from '@tollgate/db/queries/payments/price-top-up';
import type { Connection } from '@tollgate/db/transaction';
import type { Deps } from '../deps.ts';
import type { MethodDetails, PaymentProvider } from './provider.ts';

export type Refusal =
  | 'unknown_payment'
  | 'other_provider'
  | 'wrong_account'
  | 'wrong_currency'
  | 'wrong_amount'
  | 'wrong_taxes'
  | 'other_session'
  | 'other_intent'
  | 'other_payments_reversal';

/** Outcome of a fact: something changed, it was already known, or it was refused. */
export type Applied = { outcome: 'applied' | 'unchanged' } | { outcome: 'refused'; reason: Refusal };

/** What applying a fact needs. */
export interface ApplyContext {
  tx: Connection;
  deps: Deps;
  provider: PaymentProvider;
  now: Date;
  /** The payment method; null: unknown, or not reported. */
  method: MethodDetails | null;
  /** Taxes that the provider added; null: none, or they are known already. */
  taxes: ReportedTaxes | null;
}
