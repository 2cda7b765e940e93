import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { FULL_PRICE_PPM } from '@tollgate/core/money/money';
import { LATENCY_BOUNDS_MS } from '@tollgate/core/requests/latency';
import { moment } from './types.ts';

const NO_COUNTS = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0);

/** One row for every request of an authenticated key; partitioned by month of `started_at`. */
export const requests = pgTable(
  'requests',
  {
    id: text('id').notNull(),
    startedAt: moment('started_at').notNull(),
    accountId: text('account_id').notNull(),
    keyId: text('key_id').notNull(),
    /** The path of the endpoint: `/v1/messages`. */
    endpoint: text('endpoint').notNull(),
    /** null: the request was refused before its model was known. */
    model: text('model'),
    /** The provider's name; null: no provider was called. */
    provider: text('provider'),
    upstreamModel: text('upstream_model'),
    streamed: boolean('streamed').notNull(),
    state: text('state', { enum: ['held', 'settled'] }).notNull(),
    /** The HTTP status answered; 499: the client left first. */
    status: integer('status').notNull(),
    /** From the error table; null: answered in full. */
    errorCode: text('error_code'),
    inputTokens: integer('input_tokens').notNull().default(0),
    cacheReadTokens: integer('cache_read_tokens').notNull().default(0),
    cacheWriteTokens: integer('cache_write_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    /** True: the provider reported no usage, the tokens are counted from what was relayed. */
    estimated: boolean('estimated').notNull().default(false),
    priceId: bigint('price_id', { mode: 'number' }),
    /** What was billed; while held, what is billed if the request's end is never reported. */
    costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }).notNull().default(0n),
    latencyMs: integer('latency_ms').notNull(),
    firstByteMs: integer('first_byte_ms'),
    /** Until it was admitted. This and the next two are null if unknown. */
    queueMs: integer('queue_ms'),
    /** How long it waited for its hold and nothing else; 0: the provider took longer. */
    holdMs: integer('hold_ms'),
    /** Until the connection to the provider that was asked last was there; 0: it was kept from an earlier request. */
    connectMs: integer('connect_ms'),
    /** The route that was called last; null: none. */
    routeId: text('route_id'),
    /** Every try at a provider, in order, as `AttemptRecord`; null: the first one asked gave the answer. */
    attempts: jsonb('attempts'),
    /** The worst case that was held before the request could cost anything; 0: nothing was. */
    heldNanoUsd: bigint('held_nano_usd', { mode: 'bigint' }).notNull().default(0n),
    /** The process of the api that holds it. */
    replicaId: text('replica_id'),
    /** True: the account's balance pays. */
    chargesBalance: boolean('charges_balance').notNull().default(false),
    /** The plan's price multiplier, in millionths. */
    pricePpm: integer('price_ppm').notNull().default(FULL_PRICE_PPM),
    /** Unbilled cost: what the operator may owe providers beyond what was billed. */
    operatorCostNanoUsd: bigint('operator_cost_nano_usd', { mode: 'bigint' }).notNull().default(0n),
    cacheWrite1hTokens: integer('cache_write_1h_tokens').notNull().default(0),
    /** True: billed by an estimate, since its replica died. */
    recovered: boolean('recovered').notNull().default(false),
    /** The provider's usage object as JSON text, at most 8 KiB, marked if a part is missing; null: it sent none. */
    rawUsage: text('raw_usage'),
    /** Billed units in addition to plain tokens, as `UsageExtras`; null: none. */
    usageExtras: jsonb('usage_extras'),
    /** The terms it is billed by, as `RateTerms`; null: the plain ones. */
    billedTerms: jsonb('billed_terms'),
    /** Terms that the provider reports, as `ServedTerms`; null: the plain terms, or none reported. */
    servedTerms: jsonb('served_terms'),
    /** Cost that the provider reports; null: none reported. */
    reportedCostNanoUsd: bigint('reported_cost_nano_usd', { mode: 'bigint' }),
    /** Why what was served is not what was priced; null: it is. */
    priceMismatch: text('price_mismatch'),
    /** Family and version of the calling program, as `describeClient` returns them; null: unknown. */
    client: text('client'),
    /** The session of the request, if its model has several routes: a hash of 53 bits; null: none. */
    sessionHash: bigint('session_hash', { mode: 'number' }),
    /** Why its first route was the first of several, as `RouteChoice`; null: its model has one route. */
    routeChoice: text('route_choice'),
    /** The model that the caller named, if a fallback model was tried; null: the same as `model`. */
    requestedModel: text('requested_model'),
    /** True: the provider billed the account itself, which pays the plan's fee. */
    ownCredential: boolean('own_credential').notNull().default(false),
    /** The error message that the caller got, at most 500 characters; null: none. */
    errorMessage: text('error_message'),
    /** The member of the request that the error named; null: none. */
    errorParam: text('error_param'),
    /** The name that the caller gave to its session, at most 128 characters; null: none. */
    session: text('session'),
    /** The provider's ID of the request, of the last response; null: none. */
    providerRequestId: text('provider_request_id'),
  },
  (table) => [primaryKey({ columns: [table.id, table.startedAt] })],
);

/** The requests in state `held`: each is listed here from its hold to its settlement. */
export const heldRequests = pgTable('held_requests', {
  id: text('id').primaryKey(),
  startedAt: moment('started_at').notNull(),
  replicaId: text('replica_id').notNull(),
});

/** The sum of `requests` per hour, key and model, kept in the same transaction. */
export const usageHourly = pgTable(
  'usage_hourly',
  {
    hour: moment('hour').notNull(),
    accountId: text('account_id').notNull(),
    keyId: text('key_id').notNull(),
    /** '' if the model was never known. */
    model: text('model').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull().default(0),
    /** Failed requests, broken streams included, without requests that the caller aborted. */
    errors: bigint('errors', { mode: 'number' }).notNull().default(0),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull().default(0),
    cacheReadTokens: bigint('cache_read_tokens', { mode: 'number' }).notNull().default(0),
    cacheWriteTokens: bigint('cache_write_tokens', { mode: 'number' }).notNull().default(0),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull().default(0),
    costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }).notNull().default(0n),
    cacheWrite1hTokens: bigint('cache_write_1h_tokens', { mode: 'number' }).notNull().default(0),
    operatorCostNanoUsd: bigint('operator_cost_nano_usd', { mode: 'bigint' }).notNull().default(0n),
    /** The part of the cost that balances paid, and how much of that is in `ledger_entries`. */
    chargedNanoUsd: bigint('charged_nano_usd', { mode: 'bigint' }).notNull().default(0n),
    postedNanoUsd: bigint('posted_nano_usd', { mode: 'bigint' }).notNull().default(0n),
    /** How long requests took that were answered in full: how many between which `LATENCY_BOUNDS_MS`. */
    latencyCounts: integer('latency_counts').array().notNull().default(NO_COUNTS),
    /** As `latencyCounts`, of the time to the first byte, of all requests that had one. */
    firstByteCounts: integer('first_byte_counts').array().notNull().default(NO_COUNTS),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.hour, table.model] })],
);
