import type { TaxLine } from '@tollgate/core/money/taxes';
import { boolean, integer, jsonb, pgTable, primaryKey, text, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { payments } from './payments.ts';
import { moment } from './types.ts';

/** What an account is billed as. An account without a row has given nothing. */
export const billingDetails = pgTable('billing_details', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  companyName: text('company_name').notNull().default(''),
  /** Several lines, without the country. */
  address: text('address').notNull().default(''),
  /** ISO 3166-1 alpha-2; null: not known. */
  country: text('country'),
  taxId: text('tax_id').notNull().default(''),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** Taxes that payments include. */
export const taxRates = pgTable('tax_rates', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** Parts per million: 190000 is 19 %. */
  ratePpm: integer('rate_ppm').notNull(),
  /** null: customers of all countries without a rate. */
  country: text('country'),
  /** True: customers with a tax ID pay no tax here, and owe it themselves. */
  reverseCharge: boolean('reverse_charge').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
});

const DOCUMENT_KINDS = ['receipt', 'credit_note'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** The last number of each kind and year. The row's lock makes numbers follow each other without gaps. */
export const documentNumbers = pgTable(
  'document_numbers',
  {
    kind: text('kind', { enum: DOCUMENT_KINDS }).notNull(),
    year: integer('year').notNull(),
    last: integer('last').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.year] })],
);

/** Receipts and credit notes as they were issued. Triggers refuse any change, except the erasure of a person. */
export const billingDocuments = pgTable('billing_documents', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: DOCUMENT_KINDS }).notNull(),
  /** `R-2026-000123`, `C-2026-000004`. */
  number: text('number').notNull(),
  issuedAt: moment('issued_at').notNull(),
  accountId: text('account_id')
    .notNull()
    .references(() => accounts.id),
  paymentId: text('payment_id')
    .notNull()
    .references(() => payments.id),
  /** Idempotency key of the ledger entry of the same amount. */
  entryKey: text('entry_key').notNull(),
  /** A credit note corrects a receipt; a receipt corrects a credit note whose refund failed or dispute was won. */
  correctsId: text('corrects_id').references((): AnyPgColumn => billingDocuments.id),
  /** null: it was not stored. */
  issuer: text('issuer'),
  accountName: text('account_name').notNull(),
  payerEmail: text('payer_email').notNull(),
  companyName: text('company_name').notNull(),
  address: text('address').notNull(),
  country: text('country'),
  taxId: text('tax_id').notNull(),
  methodBrand: text('method_brand'),
  methodLast4: text('method_last4'),
  amountCents: integer('amount_cents').notNull(),
  netCents: integer('net_cents').notNull(),
  /** With the net amount they add up to the amount. */
  taxes: jsonb('taxes').$type<TaxLine[]>().notNull(),
  /** True: the customer owes the tax. */
  reverseCharge: boolean('reverse_charge').notNull().default(false),
});
