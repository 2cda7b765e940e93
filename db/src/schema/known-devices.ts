import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, moment } from './types.ts';
import { users } from './users.ts';

export const knownDevices = pgTable(
  'known_devices',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of what the browser's cookie holds. */
    device: bytea('device').notNull(),
    userAgent: text('user_agent'),
    /** The network that it last signed in from; of IPv6 the /64. */
    address: text('address'),
    firstSeenAt: moment('first_seen_at').notNull().defaultNow(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.device] })],
);
