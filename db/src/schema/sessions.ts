import { pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, moment } from './types.ts';
import { users } from './users.ts';

export const sessions = pgTable('sessions', {
  /** SHA-256 of the id in the cookie: a stored value cannot be used to sign in. */
  id: bytea('id').primaryKey(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id),
  expiresAt: moment('expires_at').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  userAgent: text('user_agent'),
  /** The network that it was last seen from; of IPv6 the /64. */
  address: text('address'),
  lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
  /** When its person last proved again that it is them. */
  confirmedAt: moment('confirmed_at'),
  /** When it proved a second factor: a code, a recovery code or a passkey; null: it has not. */
  secondFactorAt: moment('second_factor_at'),
});
