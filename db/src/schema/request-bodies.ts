import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, moment } from './types.ts';

/** Logged request and response payloads; sealed, each column for its place. */
export const requestBodies = pgTable(
  'request_bodies',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    requestId: text('request_id').notNull(),
    startedAt: moment('started_at').notNull(),
    requestSealed: bytea('request_sealed').notNull(),
    /** Of the whole payload as received; with `requestTruncated` only its beginning is kept. */
    requestBytes: integer('request_bytes').notNull(),
    requestTruncated: boolean('request_truncated').notNull(),
    /** null: the caller was given nothing. */
    answerSealed: bytea('answer_sealed'),
    answerBytes: integer('answer_bytes').notNull(),
    answerTruncated: boolean('answer_truncated').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.requestId] })],
);
