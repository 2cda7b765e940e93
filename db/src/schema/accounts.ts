import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ROLES } from '@tollgate/core/people/roles';
import { plans } from './plans.ts';
import { moment } from './types.ts';
import { users } from './users.ts';

/** Owns keys and pays for them. */
export const accounts = pgTable('accounts', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** False: the name is the owner's email, and the owner is asked for a name. */
  isNamed: boolean('is_named').notNull().default(false),
  /** Set: every key of the account answers 403. */
  suspendedAt: moment('suspended_at'),
  planId: text('plan_id')
    .notNull()
    .default('free')
    .references(() => plans.id),
  /** Retention of logged payloads in days; null: request logging is off. */
  bodyRetentionDays: integer('body_retention_days'),
  /** Payloads of requests that began before are neither stored nor shown; null: none are. */
  bodiesKeptSince: moment('bodies_kept_since'),
  /** Retention of stored responses in days; null: none are stored. */
  responseRetentionDays: integer('response_retention_days'),
  /** Responses of requests that began before are neither stored nor shown; null: none are. */
  responsesKeptSince: moment('responses_kept_since'),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Its members reach it only through sessions that proved a second factor. */
  requiresTwoFactor: boolean('requires_two_factor').notNull().default(false),
});

export const memberships = pgTable(
  'memberships',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    role: text('role', { enum: ROLES }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.accountId] })],
);
