import type { Connection } from '@tollgate/db/transaction';
import type { Deps } from '../deps.ts';
import type { MethodDetails, PaymentProvider } from './provider.ts';

export type Refusal =
  | 'unknown_payment'
  | 'other_provider'
  | 'wrong_account'
  | 'wrong_currency'
  | 'wrong_amount'
  | 'other_session'
  | 'other_intent'
  | 'other_payments_reversal';

/** What became of a fact: something changed, all of it was known, or it is believed in no case. */
export type Applied = { outcome: 'applied' | 'unchanged' } | { outcome: 'refused'; reason: Refusal };

/** What applying a fact needs. */
export interface ApplyContext {
  tx: Connection;
  deps: Deps;
  provider: PaymentProvider;
  now: Date;
  /** How it was paid; null: the provider was not asked, or does not say. */
  method: MethodDetails | null;
}
