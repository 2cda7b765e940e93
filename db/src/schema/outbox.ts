import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, moment } from './types.ts';

export const outbox = pgTable('outbox', {
  id: text('id').primaryKey(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  /** `{ text, html }` as JSON under AES-256-GCM; null once an SMTP server has accepted the email. */
  bodySealed: bytea('body_sealed'),
  createdAt: moment('created_at').notNull().defaultNow(),
  attempts: integer('attempts').notNull().default(0),
  sentAt: moment('sent_at'),
  lastError: text('last_error'),
});
