import { PAYMENT_STATES } from '@tollgate/core/money/payment-states';
import type { TaxLine } from '@tollgate/core/money/taxes';
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { apiKeys } from './api-keys.ts';
import { moment } from './types.ts';
import { users } from './users.ts';

const PAYMENT_KINDS = ['checkout', 'auto'] as const;
/** Payment providers; `test` moves no money. */
const PAYMENT_PROVIDERS = ['stripe', 'test'] as const;

/** Taxes on top of a credit, and the customer for whom they were determined. */
export interface AddedTaxes {
  taxes: TaxLine[];
  /** True: the customer owes the tax. */
  reverseCharge: boolean;
  customer: { companyName: string; address: string; country: string | null; taxId: string };
}

export const payments = pgTable('payments', {
  id: text('id').primaryKey(),
  accountId: text('account_id')
    .notNull()
    .references(() => accounts.id),
  /** null: a deleted user, or an automatic top-up. */
  createdBy: text('created_by').references(() => users.id),
  kind: text('kind', { enum: PAYMENT_KINDS }).notNull(),
  provider: text('provider', { enum: PAYMENT_PROVIDERS }).notNull(),
  amountCents: integer('amount_cents').notNull(),
  currency: text('currency').notNull().default('usd'),
  state: text('state', { enum: PAYMENT_STATES }).notNull().default('created'),
  /** True: the person lets us charge the method again. */
  savesMethod: boolean('saves_method').notNull().default(false),
  checkoutSessionId: text('checkout_session_id'),
  paymentIntentId: text('payment_intent_id'),
  /** In the provider's words, of the last try. */
  failure: text('failure'),
  /** The payer's email at the time of the payment. */
  payerEmail: text('payer_email').notNull(),
  methodBrand: text('method_brand'),
  methodLast4: text('method_last4'),
  /** Given when it is paid: `R-2026-000123`. */
  receiptNumber: text('receipt_number'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  /** When the balance was credited; null: never. */
  paidAt: moment('paid_at'),
  taxMode: text('tax_mode', { enum: ['included', 'on_top', 'stripe'] })
    .notNull()
    .default('included'),
  /** Part of the amount that is not credited to the balance. */
  addedTaxCents: integer('added_tax_cents').notNull().default(0),
  /** null: the taxes are included in the amount, or Stripe has not reported them yet. */
  addedTaxes: jsonb('added_taxes').$type<AddedTaxes>(),
  /** Stripe's calculation for the charge of a saved card; null: none. */
  taxCalculationId: text('tax_calculation_id'),
});

/** Refunds that operators request, stored before the provider is asked. */
export const refundRequests = pgTable('refund_requests', {
  /** Also the idempotency key at the provider. */
  id: text('id').primaryKey(),
  paymentId: text('payment_id')
    .notNull()
    .references(() => payments.id),
  amountCents: integer('amount_cents').notNull(),
  /** In the operator's words; the account's members read it. */
  reason: text('reason').notNull(),
  /** null: a deleted user. */
  requestedBy: text('requested_by').references(() => users.id),
  /** The same for a request that is sent again. */
  requestKey: text('request_key').notNull(),
  /** `open`: it is not known yet whether the provider made it. */
  state: text('state', { enum: ['open', 'made', 'refused'] })
    .notNull()
    .default('open'),
  /** Why it was refused, in the provider's words. */
  failure: text('failure'),
  createdAt: moment('created_at').notNull(),
  /** When the provider was last asked. */
  askedAt: moment('asked_at').notNull(),
});

/** A refund or a dispute: what takes a payment back, in part or whole, and may give it back again. */
export const paymentReversals = pgTable('payment_reversals', {
  /** The provider's. */
  id: text('id').primaryKey(),
  paymentId: text('payment_id')
    .notNull()
    .references(() => payments.id),
  kind: text('kind', { enum: ['refund', 'dispute'] }).notNull(),
  amountCents: integer('amount_cents').notNull(),
  /** `returned` is final: the refund failed, the dispute was won. */
  state: text('state', { enum: ['open', 'returned'] }).notNull(),
  /** Amount taken from the balance for it; null: nothing yet. */
  takenCents: integer('taken_cents'),
  /** null: a dispute, or a refund from the provider's dashboard. */
  requestId: text('request_id').references(() => refundRequests.id),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** Every event from a provider, once. */
export const paymentEvents = pgTable('payment_events', {
  /** The provider's. */
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  /** When the provider made it. */
  createdAt: moment('created_at').notNull(),
  receivedAt: moment('received_at').notNull().defaultNow(),
  /** The facts of the event that concern us; null: none. */
  facts: jsonb('facts'),
  paymentId: text('payment_id').references(() => payments.id),
  outcome: text('outcome', { enum: ['applied', 'unchanged', 'ignored', 'refused'] }).notNull(),
  /** Why it was refused. */
  reason: text('reason'),
});

/** The account as a provider knows it, and the method that it may charge again. */
export const paymentMethods = pgTable(
  'payment_methods',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    provider: text('provider', { enum: PAYMENT_PROVIDERS }).notNull(),
    customerId: text('customer_id').notNull(),
    /** null: none is saved. */
    methodId: text('method_id'),
    brand: text('brand'),
    last4: text('last4'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.provider] })],
);

export const autoTopUps = pgTable('auto_top_ups', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id),
  enabled: boolean('enabled').notNull(),
  /** Charged when less than this is available. */
  thresholdNanoUsd: bigint('threshold_nano_usd', { mode: 'bigint' }).notNull(),
  amountCents: integer('amount_cents').notNull(),
  /** In a row; a payment that goes through sets it back. */
  failures: integer('failures').notNull().default(0),
  /** Earliest time; null: immediately. */
  nextAttemptAt: moment('next_attempt_at'),
  /** Maximum of a calendar month (UTC); null: none. */
  monthlyMaxCents: integer('monthly_max_cents'),
  /** When the members were last notified that it was reached; null: since it was set, never. */
  maxNotifiedAt: moment('max_notified_at'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const balanceAlerts = pgTable('balance_alerts', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id),
  thresholdNanoUsd: bigint('threshold_nano_usd', { mode: 'bigint' }).notNull(),
  /** null: the balance has been above the threshold since the last email. */
  notifiedAt: moment('told_at'),
});

/** The highest share of its budget that a key's members were notified of. */
export const keyBudgetAlerts = pgTable('key_budget_alerts', {
  keyId: text('key_id')
    .primaryKey()
    .references(() => apiKeys.id),
  notifiedPercent: smallint('told_percent').notNull(),
  notifiedAt: moment('told_at').notNull().defaultNow(),
});
