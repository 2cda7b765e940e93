import { pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';
import { users } from './users.ts';

export const IDENTITY_PROVIDERS = ['github', 'google', 'oidc'] as const;

/** A person's identity at a provider for sign-in. */
export const identities = pgTable('identities', {
  id: text('id').primaryKey(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id),
  provider: text('provider', { enum: IDENTITY_PROVIDERS }).notNull(),
  /** The issuer of the subject: subjects are unique only within one issuer. */
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  /** The address that the provider named last, for display. */
  email: text('email').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  lastUsedAt: moment('last_used_at'),
});
