import { foreignKey, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { storedResponses } from './stored-responses.ts';
import { moment } from './types.ts';

/** Responses that run in the background; a row exists while its response runs. */
export const backgroundResponses = pgTable(
  'background_responses',
  {
    accountId: text('account_id').notNull(),
    responseId: text('response_id').notNull(),
    /** The process of the api that runs it. */
    replicaId: text('replica_id').notNull(),
    startedAt: moment('started_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.responseId] }),
    foreignKey({
      columns: [table.accountId, table.responseId],
      foreignColumns: [storedResponses.accountId, storedResponses.id],
    }).onDelete('cascade'),
  ],
);
