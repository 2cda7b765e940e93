import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, moment } from './types.ts';
import { users } from './users.ts';

export const ONE_TIME_CODE_PURPOSES = [
  'verify_email',
  'change_email',
  'reset_password',
  'operator_setup',
  'link_identity',
  'confirm_identity',
] as const;

export const oneTimeCodes = pgTable('one_time_codes', {
  id: text('id').primaryKey(),
  purpose: text('purpose', { enum: ONE_TIME_CODE_PURPOSES }).notNull(),
  /** null only for operator_setup. */
  userId: text('user_id').references(() => users.id),
  /** The address that the code was sent to. */
  email: text('email'),
  /** SHA-256 of the device cookie of the browser that requested it: the digits only work there. null: anywhere. */
  browser: bytea('browser'),
  /** Hash of the six digits; null if only the link exists. */
  codeHash: bytea('code_hash'),
  /** SHA-256 of the token in the link. */
  tokenHash: bytea('token_hash').notNull(),
  /** Wrong codes still allowed. */
  attemptsLeft: integer('attempts_left').notNull().default(5),
  expiresAt: moment('expires_at').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  usedAt: moment('used_at'),
});
