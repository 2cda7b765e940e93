import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';

/** Counters of attempts at sign-in, sign-up, codes and resets: one row per address or account and window. */
export const throttles = pgTable('throttles', {
  /** Hash of the counted thing: `sign-in:ip:…`. */
  bucket: text('bucket').primaryKey(),
  windowStartedAt: moment('window_started_at').notNull(),
  hits: integer('hits').notNull(),
});
