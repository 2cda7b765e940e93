import { boolean, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { sessions } from './sessions.ts';
import { bytea, moment } from './types.ts';
import { users } from './users.ts';

export const TAX_MODES = ['included', 'on_top', 'stripe'] as const;
/** Whether taxes are a part of the amount of a top-up, added to it by the tax rates, or added by Stripe Tax. */
export type TaxMode = (typeof TAX_MODES)[number];

/** Settings of the whole installation: one row. */
export const installationSettings = pgTable('installation_settings', {
  /** Always true. */
  id: boolean('id').primaryKey().default(true),
  /** Who may sign up: anyone, addresses of some domains, no one. */
  signUp: text('sign_up', { enum: ['open', 'domains', 'closed'] })
    .notNull()
    .default('open'),
  /** In lower case; used if `signUp` is `domains`. */
  signUpDomains: text('sign_up_domains').array().notNull().default([]),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  taxMode: text('tax_mode', { enum: TAX_MODES }).notNull().default('included'),
  /** Operators get in only through sessions that proved a second factor. */
  operatorsRequireTwoFactor: boolean('operators_require_two_factor').notNull().default(false),
});

/** Ledger checks that operators started; one runs at a time. */
export const ledgerChecks = pgTable('ledger_checks', {
  id: text('id').primaryKey(),
  /** null: a deleted user. */
  startedBy: text('started_by').references(() => users.id),
  startedAt: moment('started_at').notNull().defaultNow(),
  finishedAt: moment('finished_at'),
  /** null: it is queued or running, or it failed. */
  report: jsonb('report'),
});

/** An operator's session that views an account; a session with such a row changes nothing. */
export const impersonations = pgTable('impersonations', {
  sessionId: bytea('session_id')
    .primaryKey()
    .references(() => sessions.id),
  accountId: text('account_id')
    .notNull()
    .references(() => accounts.id),
  startedAt: moment('started_at').notNull().defaultNow(),
  endsAt: moment('ends_at').notNull(),
});
