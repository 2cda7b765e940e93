import { sql } from 'drizzle-orm';
import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { moment } from './types.ts';

/** The hot row of an account: falls with every settled request, is posted to `ledgerEntries` by the hour. */
export const balances = pgTable('balances', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id),
  /** Below zero only if a payment was reversed after it was spent. */
  availableNanoUsd: bigint('available_nano_usd', { mode: 'bigint' }).notNull().default(0n),
  /** The worst-case costs of requests in flight. */
  heldNanoUsd: bigint('held_nano_usd', { mode: 'bigint' }).notNull().default(0n),
});

const LEDGER_ENTRY_KINDS = [
  'top_up',
  'credit',
  'usage',
  'adjustment',
  'refund',
  'dispute',
  'dispute_won',
] as const;
/** `wallet` is the account's, the others are the operator's. */
const LEDGER_BOOKS = ['wallet', 'payments', 'credits', 'usage', 'adjustments'] as const;

/** Double entry: each row takes an amount from the book `debit` and gives it to `credit`. Triggers refuse any change. */
export const ledgerEntries = pgTable('ledger_entries', {
  id: text('id').primaryKey(),
  /** When it was posted; not when its transaction began, which may have waited for another. */
  at: moment('at')
    .notNull()
    .default(sql`clock_timestamp()`),
  accountId: text('account_id')
    .notNull()
    .references(() => accounts.id),
  kind: text('kind', { enum: LEDGER_ENTRY_KINDS }).notNull(),
  debit: text('debit', { enum: LEDGER_BOOKS }).notNull(),
  credit: text('credit', { enum: LEDGER_BOOKS }).notNull(),
  amountNanoUsd: bigint('amount_nano_usd', { mode: 'bigint' }).notNull(),
  /** Posting the same key again does nothing. */
  idempotencyKey: text('idempotency_key').notNull(),
  /** Of an adjustment or a credit, in the operator's words. */
  reason: text('reason'),
  /** Of usage: the key's. */
  keyId: text('key_id'),
  /** Of usage: the hour in which it began. */
  usageHour: moment('usage_hour'),
  paymentId: text('payment_id'),
});

/** A process of the api, for as long as it says that it lives. Only such a one may hold money. */
export const replicas = pgTable('replicas', {
  id: text('id').primaryKey(),
  startedAt: moment('started_at').notNull().defaultNow(),
  heartbeatAt: moment('heartbeat_at').notNull().defaultNow(),
});
