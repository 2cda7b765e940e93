import { boolean, pgTable } from 'drizzle-orm/pg-core';
import { bytea, moment } from './types.ts';

/**
 * Which ENCRYPTION_KEY the sealed values are under: one row, stored by the first service that starts. Read by
 * `withKeyCheck` in SQL, before the query builder is loaded.
 * @public
 */
export const encryptionKeyCheck = pgTable('encryption_key_check', {
  /** Always true. */
  id: boolean('id').primaryKey().default(true),
  /** HMAC-SHA256 of a constant under the key. */
  value: bytea('value').notNull(),
  storedAt: moment('stored_at').notNull().defaultNow(),
});
