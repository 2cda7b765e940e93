import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, moment } from './types.ts';

/** Responses that an account stores; sealed, each column for its place. */
export const storedResponses = pgTable(
  'stored_responses',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    id: text('id').notNull(),
    createdAt: moment('created_at').notNull(),
    responseSealed: bytea('response_sealed').notNull(),
    /** The whole input of the request, with what it continued. */
    inputSealed: bytea('input_sealed').notNull(),
    /** Of both columns. */
    bytes: integer('bytes').notNull(),
    /** Decompressed, in bytes. */
    responseSize: integer('response_size').notNull(),
    inputSize: integer('input_size').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);
