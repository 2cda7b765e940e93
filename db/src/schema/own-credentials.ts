import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { providers } from './catalogue.ts';
import { bytea, moment } from './types.ts';

/** When a credential of an account is used: before those of the provider, or exclusively. */
const OWN_CREDENTIAL_MODES = ['first', 'only'] as const;
export type OwnCredentialMode = (typeof OWN_CREDENTIAL_MODES)[number];

/** Credentials of accounts, for requests of the account on routes to the provider. */
export const ownCredentials = pgTable(
  'own_credentials',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    providerId: text('provider_id')
      .notNull()
      .references(() => providers.id, { onDelete: 'cascade' }),
    mode: text('mode', { enum: OWN_CREDENTIAL_MODES }).notNull(),
    /** As JSON under AES-256-GCM, for this account and provider. */
    credentialSealed: bytea('credential_sealed').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    changedAt: moment('changed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.providerId] })],
);
