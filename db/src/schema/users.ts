import { MONEY_PRECISIONS, THEMES } from '@tollgate/core/people/display-preferences';
import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';

export const users = pgTable('users', {
  id: text('id').primaryKey(),
  /** Stored lower-cased; unique without regard to case. */
  email: text('email').notNull(),
  /** argon2id, in PHC string format. */
  passwordHash: text('password_hash').notNull(),
  /** null: no key and no money until it is set. */
  emailVerifiedAt: moment('email_verified_at'),
  /** Runs the installation. */
  isOperator: boolean('is_operator').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Display name; null: the email is shown. */
  name: text('name'),
  /** Set: the user was deleted. The row remains as a pseudonym for the books. */
  deletedAt: moment('deleted_at'),
  /** The account that they opened last, on any device; null: none yet. They may have left it. */
  lastAccountId: text('last_account_id'),
  /** null: the browser decides. */
  theme: text('theme', { enum: THEMES }),
  /** IANA name; null: of the browser. */
  timeZone: text('time_zone'),
  moneyPrecision: text('money_precision', { enum: MONEY_PRECISIONS }).notNull().default('rounded'),
});
