import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';

/** Health checks of routes by hour. No account pays for them, so they are no requests. */
export const healthChecks = pgTable(
  'health_checks',
  {
    routeId: text('route_id').notNull(),
    model: text('model').notNull(),
    hour: moment('hour').notNull(),
    /** The provider's name. */
    provider: text('provider').notNull(),
    checks: bigint('checks', { mode: 'number' }).notNull(),
    failures: bigint('failures', { mode: 'number' }).notNull(),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
    /** At the provider. */
    costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }).notNull(),
    lastCheckedAt: moment('last_checked_at').notNull(),
    /** One word, such as `status_503`; null: the route answered. */
    lastError: text('last_error'),
  },
  (table) => [primaryKey({ columns: [table.routeId, table.model, table.hour] })],
);
