import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, moment } from './types.ts';
import { users } from './users.ts';

export const totpSecrets = pgTable('totp_secrets', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  secretSealed: bytea('secret_sealed').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** null: shown, and not yet confirmed by a code; no sign-in requires it. */
  confirmedAt: moment('confirmed_at'),
  /** The 30 seconds that the last code stood for: it and what came before it work no more. */
  lastUsedStep: bigint('last_used_step', { mode: 'number' }),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    codeHash: bytea('code_hash').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

export const passkeys = pgTable('passkeys', {
  id: text('id').primaryKey(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id),
  /** The authenticator's id of it. */
  credentialId: bytea('credential_id').notNull(),
  /** COSE. */
  publicKey: bytea('public_key').notNull(),
  /** Of the authenticator; many count nothing and stay at 0. */
  counter: bigint('counter', { mode: 'number' }).notNull(),
  transports: text('transports').array().notNull().default([]),
  name: text('name').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  lastUsedAt: moment('last_used_at'),
});

/** Sealed tickets that were used: each works once. */
export const spentTickets = pgTable('spent_tickets', {
  /** SHA-256 of the ticket's random part. */
  hash: bytea('hash').primaryKey(),
  expiresAt: moment('expires_at').notNull(),
});
