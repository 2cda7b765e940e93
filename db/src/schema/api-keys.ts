import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable, text, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, moment } from './types.ts';
import { users } from './users.ts';

/** A trigger refuses every change but of tags, and those of `revoked_at` and `ends_at` from null to a time. */
export const apiKeys = pgTable('api_keys', {
  id: text('id').primaryKey(),
  accountId: text('account_id')
    .notNull()
    .references(() => accounts.id),
  createdBy: text('created_by').references(() => users.id),
  name: text('name').notNull(),
  /** SHA-256 of the whole key, the only form in which it is stored. */
  hash: bytea('hash').notNull(),
  /** The first characters, for display: `sk-7Qb2`. */
  prefix: text('prefix').notNull(),
  last4: text('last4').notNull(),
  /** null: every model of the plan, now and later. */
  allowedModels: text('allowed_models').array(),
  /** null: no limit for this key. */
  maxBudgetNanoUsd: bigint('max_budget_nano_usd', { mode: 'bigint' }),
  /** Requests per minute; null: no limit for this key. */
  rpm: integer('rpm'),
  /** Tokens per minute; null: no limit for this key. */
  tpm: integer('tpm'),
  /** null: never. */
  expiresAt: moment('expires_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  revokedAt: moment('revoked_at'),
  /** For finding keys only. */
  tags: text('tags').array().notNull().default([]),
  /** The key that this key replaces. */
  replacesKeyId: text('successor_of').references((): AnyPgColumn => apiKeys.id),
  /** When a key that was replaced stops working, if it does not expire sooner. */
  endsAt: moment('ends_at'),
  /** Text for searches: its name, its prefix and its last four characters in lower case, a line each. */
  searchText: text('search_text')
    .notNull()
    .generatedAlwaysAs(sql`lower(name || E'\\n' || prefix || E'\\n' || last4)`),
});

/** The hot row of a key: written with every batch of requests, while `api_keys` stays still. */
export const keyTotals = pgTable('key_totals', {
  keyId: text('key_id')
    .primaryKey()
    .references(() => apiKeys.id),
  spentNanoUsd: bigint('spent_nano_usd', { mode: 'bigint' }).notNull().default(0n),
  heldNanoUsd: bigint('held_nano_usd', { mode: 'bigint' }).notNull().default(0n),
  lastUsedAt: moment('last_used_at'),
  /** Part of what is spent: moved to or from another key by a rotation. */
  carriedNanoUsd: bigint('carried_nano_usd', { mode: 'bigint' }).notNull().default(0n),
});

/** In which order keys are listed by spend and by last use: a copy of `key_totals` that is some seconds old. */
export const keyStandings = pgTable('key_standings', {
  keyId: text('key_id')
    .primaryKey()
    .references(() => apiKeys.id),
  accountId: text('account_id').notNull(),
  /** Cost of this key's requests. */
  spentNanoUsd: bigint('spent_nano_usd', { mode: 'bigint' }).notNull().default(0n),
  /** `-infinity`: never. */
  lastUsedAt: moment('last_used_at')
    .notNull()
    .default(sql`'-infinity'`),
});
