import { pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, moment } from './types.ts';
import { users } from './users.ts';

export const sessions = pgTable('sessions', {
  /** SHA-256 of the id in the cookie: what is stored here signs nobody in. */
  id: bytea('id').primaryKey(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id),
  expiresAt: moment('expires_at').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});
