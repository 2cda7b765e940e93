import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';

/** Members of requests that no contract knows, by the provider and the client. */
export const unknownMembers = pgTable(
  'unknown_members',
  {
    /** The provider's name. */
    provider: text('provider').notNull(),
    /** `name`, `owner.name`, `tools.kind`, `beta.name`. */
    member: text('member').notNull(),
    /** The family of the user agent: `claude-cli`. */
    client: text('client').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
    firstSeenAt: moment('first_seen_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    /** The account that sent it first, which counts it in its share; null: stored by an earlier release. */
    accountId: text('account_id'),
  },
  (table) => [primaryKey({ columns: [table.provider, table.member, table.client] })],
);

/** Routes whose answers differed from what was priced, after operators were notified. */
export const priceMismatchAlerts = pgTable('price_mismatch_alerts', {
  routeId: text('route_id').primaryKey(),
  notifiedAt: moment('notified_at').notNull(),
  lastSeenAt: moment('last_seen_at').notNull(),
});

/** When operators were last notified of cost drift, by model and route; `routeId` is '' if the route is not known. */
export const costDriftAlerts = pgTable(
  'cost_drift_alerts',
  {
    model: text('model').notNull(),
    routeId: text('route_id').notNull(),
    notifiedAt: moment('notified_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.model, table.routeId] })],
);
