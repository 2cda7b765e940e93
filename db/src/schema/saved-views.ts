import type { SavedFilter } from '@tollgate/core/requests/saved-view';
import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { moment } from './types.ts';
import { users } from './users.ts';

/** Filters of the request log under a name. */
export const savedViews = pgTable('saved_views', {
  id: text('id').primaryKey(),
  accountId: text('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** Only this person sees it; null: all members of the account. */
  ownerId: text('owner_id').references(() => users.id, { onDelete: 'cascade' }),
  createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
  /** Unique among the views of its owner, or among the shared ones, in any case. */
  name: text('name').notNull(),
  filter: jsonb('filter').$type<SavedFilter>().notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});
