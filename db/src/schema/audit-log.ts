import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';

export const auditLog = pgTable('audit_log', {
  id: text('id').primaryKey(),
  at: moment('at').notNull().defaultNow(),
  /** null: the command line. */
  actorUserId: text('actor_user_id'),
  accountId: text('account_id'),
  /** `key.create`, `key.revoke`, `user.password_changed`, … */
  action: text('action').notNull(),
  /** The id of what was acted on. */
  subject: text('subject'),
  detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
});
