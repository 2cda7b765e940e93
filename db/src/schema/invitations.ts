import { pgTable, text } from 'drizzle-orm/pg-core';
import { INVITABLE_ROLES } from '@tollgate/core/people/roles';
import { accounts } from './accounts.ts';
import { bytea, moment } from './types.ts';
import { users } from './users.ts';

/** An invitation to join an account. Open until it is accepted, withdrawn or expired. */
export const invitations = pgTable('invitations', {
  id: text('id').primaryKey(),
  accountId: text('account_id')
    .notNull()
    .references(() => accounts.id),
  /** Stored lower-cased: only a user who has verified this address may accept. */
  email: text('email').notNull(),
  role: text('role', { enum: INVITABLE_ROLES }).notNull(),
  /** SHA-256 of the token in the link that was mailed last. */
  tokenHash: bytea('token_hash').notNull(),
  /** null: a deleted user. */
  invitedBy: text('invited_by').references(() => users.id),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** When it was mailed last. */
  sentAt: moment('sent_at').notNull().defaultNow(),
  expiresAt: moment('expires_at').notNull(),
  acceptedAt: moment('accepted_at'),
  acceptedBy: text('accepted_by').references(() => users.id),
  /** By the account, or declined by the invited person. */
  withdrawnAt: moment('withdrawn_at'),
});
