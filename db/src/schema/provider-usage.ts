import { bigint, boolean, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';

/** Settled requests that are not in the sums below yet. */
export const unsummedRequests = pgTable('unsummed_requests', {
  startedAt: moment('started_at').notNull(),
  accountId: text('account_id').notNull(),
  model: text('model'),
  provider: text('provider'),
  errorCode: text('error_code'),
  attempts: jsonb('attempts'),
  ownCredential: boolean('own_credential').notNull(),
  chargesBalance: boolean('charges_balance').notNull(),
  costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }).notNull(),
  operatorCostNanoUsd: bigint('operator_cost_nano_usd', { mode: 'bigint' }).notNull(),
  pricePpm: integer('price_ppm').notNull(),
  reportedCostNanoUsd: bigint('reported_cost_nano_usd', { mode: 'bigint' }),
  /** True: what was billed says what our rates give. */
  isExact: boolean('is_exact').notNull(),
  latencyMs: integer('latency_ms').notNull(),
  firstByteMs: integer('first_byte_ms'),
  /** 1: added to the sums; -1: taken out of them. */
  change: smallint('change').notNull(),
  /** Set if there may be provider IDs, in the column below or in the attempts; null: none, or its IDs are stored already. */
  requestId: text('request_id'),
  /** null: the provider that was called last gave no ID. */
  providerRequestId: text('provider_request_id'),
});

/** The IDs that providers gave to requests, to find a request by one. */
export const providerRequestIds = pgTable(
  'provider_request_ids',
  {
    providerRequestId: text('provider_request_id').notNull(),
    requestId: text('request_id').notNull(),
    startedAt: moment('started_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerRequestId, table.requestId] })],
);

/** Requests of all accounts, by the provider that was called last. */
export const providerHourly = pgTable(
  'provider_hourly',
  {
    hour: moment('hour').notNull(),
    /** '' if no provider was called. */
    provider: text('provider').notNull(),
    /** '' if the model was never known. */
    model: text('model').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
    /** Failed requests, without requests that the caller aborted. */
    errors: bigint('errors', { mode: 'number' }).notNull(),
    /** Paid from balances. */
    chargedNanoUsd: bigint('charged_nano_usd', { mode: 'bigint' }).notNull(),
    /** As reported by the provider, otherwise by our rates without the multiplier of plans; unbilled cost included. */
    providerCostNanoUsd: bigint('provider_cost_nano_usd', { mode: 'bigint' }).notNull(),
    /** Costs that providers reported, and what our rates give for the same requests. */
    reportedNanoUsd: bigint('reported_nano_usd', { mode: 'bigint' }).notNull(),
    computedNanoUsd: bigint('computed_nano_usd', { mode: 'bigint' }).notNull(),
    /** As in `usage_hourly`. */
    latencyCounts: integer('latency_counts').array().notNull(),
    firstByteCounts: integer('first_byte_counts').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.provider, table.model] })],
);

/** Attempts at providers with the operator's credentials, for some hours. */
export const providerMinutes = pgTable(
  'provider_minutes',
  {
    minute: moment('minute').notNull(),
    provider: text('provider').notNull(),
    calls: bigint('calls', { mode: 'number' }).notNull(),
    failures: bigint('failures', { mode: 'number' }).notNull(),
    lastFailureAt: moment('last_failure_at'),
    lastAnswerAt: moment('last_answer_at'),
    /** What the provider said about the operator's account, redacted. */
    lastMessage: text('last_message'),
    lastMessageAt: moment('last_message_at'),
  },
  (table) => [primaryKey({ columns: [table.minute, table.provider] })],
);

/** Requests of an account by UTC day. */
export const accountDaily = pgTable(
  'account_daily',
  {
    day: moment('day').notNull(),
    accountId: text('account_id').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
    errors: bigint('errors', { mode: 'number' }).notNull(),
    chargedNanoUsd: bigint('charged_nano_usd', { mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.accountId] })],
);
