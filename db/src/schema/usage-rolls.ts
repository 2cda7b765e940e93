import { bigint, boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';

/** Columns that both tables sum up from `usage_hourly`. */
const sums = () => ({
  requests: bigint('requests', { mode: 'number' }).notNull(),
  errors: bigint('errors', { mode: 'number' }).notNull(),
  inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
  cacheReadTokens: bigint('cache_read_tokens', { mode: 'number' }).notNull(),
  cacheWriteTokens: bigint('cache_write_tokens', { mode: 'number' }).notNull(),
  cacheWrite1hTokens: bigint('cache_write_1h_tokens', { mode: 'number' }).notNull(),
  outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
  costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }).notNull(),
  latencyCounts: integer('latency_counts').array().notNull(),
  firstByteCounts: integer('first_byte_counts').array().notNull(),
});

/** `usage_hourly` summed over the keys of an account, for hours before `usage_rolled.until`. */
export const usageAccountHourly = pgTable(
  'usage_account_hourly',
  {
    accountId: text('account_id').notNull(),
    hour: moment('hour').notNull(),
    model: text('model').notNull(),
    ...sums(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.hour, table.model] })],
);

/** `usage_hourly` summed over the hours of a UTC day, for days that ended by `usage_rolled.until`. */
export const usageKeyDaily = pgTable(
  'usage_key_daily',
  {
    accountId: text('account_id').notNull(),
    day: moment('day').notNull(),
    keyId: text('key_id').notNull(),
    model: text('model').notNull(),
    ...sums(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.keyId, table.model] })],
);

/** How far usage is rolled up: one row. */
export const usageRolled = pgTable('usage_rolled', {
  /** Always true. */
  id: boolean('id').primaryKey().default(true),
  /** It never goes back. */
  until: moment('until').notNull(),
});

/**
 * Hours that were written to long after they ended, or are not in the ledger: while one is here, `usage_hourly` alone is
 * right about it.
 */
export const usageLateHours = pgTable('usage_late_hours', {
  accountId: text('account_id').notNull(),
  keyId: text('key_id').notNull(),
  hour: moment('hour').notNull(),
});
