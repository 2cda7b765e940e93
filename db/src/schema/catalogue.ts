import { FALLBACK_CLASSES } from '@tollgate/core/models/fallback-model';
import { ROUTING_STRATEGIES } from '@tollgate/core/models/routing-policy';
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, moment } from './types.ts';

/** The wire formats a provider can speak; `demo` is the one built in, which speaks all of them. */
const PROVIDER_DIALECTS = ['openai-chat', 'anthropic-messages', 'openai-responses', 'demo'] as const;
export type ProviderDialect = (typeof PROVIDER_DIALECTS)[number];

export const providers = pgTable('providers', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  dialect: text('dialect', { enum: PROVIDER_DIALECTS }).notNull(),
  /** Without a slash at the end; null only for the demo provider. */
  baseUrl: text('base_url'),
  /** A provider's credential as JSON under AES-256-GCM. */
  credentialSealed: bytea('credential_sealed'),
  /** The environment variable of the api that holds the credential, which is then stored nowhere. */
  credentialEnv: text('credential_env'),
  /** Headers for every request, as JSON under AES-256-GCM; null: none. */
  headersSealed: bytea('headers_sealed'),
  /** Theirs, in lower case: all of them that is ever shown. */
  headerNames: text('header_names').array().notNull().default([]),
  /** Says how to authenticate and what the provider takes; null: an address of the operator's own. */
  preset: text('preset'),
  /** Region, project, resource: never a secret. */
  settings: jsonb('settings').$type<Record<string, string>>().notNull().default({}),
  /** Of the timeouts, null: the default. */
  connectTimeoutMs: integer('connect_timeout_ms'),
  firstByteTimeoutMs: integer('first_byte_timeout_ms'),
  idleTimeoutMs: integer('idle_timeout_ms'),
  totalTimeoutMs: integer('total_timeout_ms'),
  /** Concurrent calls in each process of the api; null: no limit. */
  maxConcurrency: integer('max_concurrency'),
  /** Members that are forwarded although the request contract does not know or rejects them. */
  allowedMembers: text('allowed_members').array().notNull().default([]),
  /** A forward proxy without its user name and password; `direct`: none; null: the one of the environment. */
  proxy: text('proxy'),
  /** The whole address of the proxy under AES-256-GCM. */
  proxySealed: bytea('proxy_sealed'),
  /** PEM, trusted in addition to Node's certificates; not secret. */
  caCertificates: text('ca_certificates'),
  /** Offers HTTP/2 to the provider. */
  http2: boolean('http2').notNull().default(false),
  /** Accounts may attach their own credentials. */
  allowsOwnCredentials: boolean('allows_own_credentials').notNull().default(false),
  /** When an operator's test last passed; null: never. */
  testPassedAt: moment('test_passed_at'),
  /** What it listed in the last test that passed; empty: it lists no models, or was not tested. */
  modelIds: text('model_ids').array().notNull().default([]),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Why a provider refused a credential. */
const SET_ASIDE_CAUSES = ['refused', 'no_credit'] as const;
export type SetAsideCause = (typeof SET_ASIDE_CAUSES)[number];

/** The credentials of each provider, except the demo provider. */
export const providerCredentials = pgTable('provider_credentials', {
  /** The id of the provider: its first credential, whose value is in the row of the provider. */
  id: text('id').primaryKey(),
  providerId: text('provider_id')
    .notNull()
    .references(() => providers.id, { onDelete: 'cascade' }),
  /** Shown in place of the value; unique for the provider. */
  label: text('label').notNull(),
  /** The share of its requests among the credentials of the provider. */
  weight: integer('weight').notNull().default(1),
  /** As JSON under AES-256-GCM; null: in the row of the provider. */
  credentialSealed: bytea('credential_sealed'),
  /** Changes with the value, and when the credential is used again after it was set aside. */
  version: integer('version').notNull().default(1),
  /** The provider refused it at this time: it is used only if no other one is left. */
  setAsideAt: moment('set_aside_at'),
  setAsideCause: text('set_aside_cause', { enum: SET_ASIDE_CAUSES }),
  /** What the provider said, redacted; null: nothing that is certainly about the credential. */
  setAsideMessage: text('set_aside_message'),
  /** When operators got an email about it. */
  notifiedAt: moment('notified_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export const models = pgTable('models', {
  id: text('id').primaryKey(),
  /** Display name; null: the id is shown. */
  title: text('title'),
  contextTokens: integer('context_tokens'),
  maxOutputTokens: integer('max_output_tokens'),
  /** Names of `MODEL_CAPABILITIES`; a newer release may have written others. */
  capabilities: text('capabilities').array().notNull().default([]),
  /** When its maker takes it away; null: not announced. */
  retiresAt: moment('retires_at'),
  /** Time to the first content of a stream; null: the default for its class. */
  firstTokenTimeoutMs: integer('first_token_timeout_ms'),
  /** The longest wait for a second attempt at the same route; null: the default. */
  retryBudgetMs: integer('retry_budget_ms'),
  contentPolicyFailover: boolean('content_policy_failover').notNull().default(false),
  /** Time to the first content of a stream, after which another route is started as well; null: never. */
  hedgeAfterMs: integer('hedge_after_ms'),
  /** How routes of the same priority are ordered. */
  strategy: text('strategy', { enum: ROUTING_STRATEGIES }).notNull().default('weighted'),
  /** A route pattern has added it: it is removed with its last route. */
  fromPattern: boolean('from_pattern').notNull().default(false),
  continueStreams: boolean('continue_streams').notNull().default(false),
  /** How often the api checks routes that no request has used, in seconds; null: never. */
  healthCheckIntervalS: integer('health_check_interval_s'),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/**
 * Prices are never changed: a new one takes effect from its time on, an old request keeps its own. They outlive their
 * model, so that the cost of every request stays verifiable.
 */
export const modelPrices = pgTable('model_prices', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** The model may have been removed. */
  modelId: text('model_id').notNull(),
  effectiveFrom: moment('effective_from').notNull().defaultNow(),
  inputNanoUsdPerMtok: bigint('input_nano_usd_per_mtok', { mode: 'bigint' }).notNull(),
  outputNanoUsdPerMtok: bigint('output_nano_usd_per_mtok', { mode: 'bigint' }).notNull(),
  /** null: cached input costs what input costs. */
  cacheReadNanoUsdPerMtok: bigint('cache_read_nano_usd_per_mtok', { mode: 'bigint' }),
  /** null: a cache write costs what input costs. */
  cacheWriteNanoUsdPerMtok: bigint('cache_write_nano_usd_per_mtok', { mode: 'bigint' }),
  /** null: an hour costs as much as five minutes. */
  cacheWrite1hNanoUsdPerMtok: bigint('cache_write_1h_nano_usd_per_mtok', { mode: 'bigint' }),
  /** Requests with more input than this, cached input counted, cost the long prices; null: none do. */
  aboveInputTokens: integer('above_input_tokens'),
  longInputNanoUsdPerMtok: bigint('long_input_nano_usd_per_mtok', { mode: 'bigint' }),
  longOutputNanoUsdPerMtok: bigint('long_output_nano_usd_per_mtok', { mode: 'bigint' }),
  longCacheReadNanoUsdPerMtok: bigint('long_cache_read_nano_usd_per_mtok', { mode: 'bigint' }),
  longCacheWriteNanoUsdPerMtok: bigint('long_cache_write_nano_usd_per_mtok', { mode: 'bigint' }),
  longCacheWrite1hNanoUsdPerMtok: bigint('long_cache_write_1h_nano_usd_per_mtok', { mode: 'bigint' }),
  /** Rates in addition to plain tokens, as `StoredRates`; null: none. */
  rates: jsonb('rates'),
});

export const routes = pgTable('routes', {
  id: text('id').primaryKey(),
  modelId: text('model_id')
    .notNull()
    .references(() => models.id),
  providerId: text('provider_id')
    .notNull()
    .references(() => providers.id),
  /** The provider's own name of the model; null: the same as ours. */
  upstreamModel: text('upstream_model'),
  /** The lowest is tried first. */
  priority: integer('priority').notNull().default(0),
  /** The share of a route among those of its priority. */
  weight: integer('weight').notNull().default(1),
  /** Other names that the provider reports for the model in responses. */
  servedNames: text('served_names').array().notNull().default([]),
  /** The context window of its upstream model; null: that of the model. */
  contextTokens: integer('context_tokens'),
  /** What its provider costs the operator, in parts per million of the model's price. */
  costPpm: integer('cost_ppm').notNull().default(1_000_000),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** The pattern that has added it; null: an operator has. */
  patternId: text('pattern_id'),
});

/** Models that requests go to when the routes of a model fail. */
export const modelFallbacks = pgTable(
  'model_fallbacks',
  {
    modelId: text('model_id')
      .notNull()
      .references(() => models.id),
    fallbackId: text('fallback_id')
      .notNull()
      .references(() => models.id),
    /** The lowest is tried first. */
    position: integer('position').notNull(),
    classes: text('classes', { enum: FALLBACK_CLASSES }).array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.modelId, table.fallbackId] })],
);

/** Patterns of model IDs that a provider serves, with the prices of the catalogue. */
export const routePatterns = pgTable('route_patterns', {
  id: text('id').primaryKey(),
  providerId: text('provider_id')
    .notNull()
    .references(() => providers.id),
  /** The beginning of model IDs, and an asterisk. */
  pattern: text('pattern').notNull(),
  /** The beginning of the pattern that the provider's names lack; empty: they are the same. */
  strip: text('strip').notNull().default(''),
  /** Of its routes. */
  priority: integer('priority').notNull().default(0),
  weight: integer('weight').notNull().default(1),
  /** Models that it has added: one that an operator removed does not come back. */
  knownModels: text('known_models').array().notNull().default([]),
  createdAt: moment('created_at').notNull().defaultNow(),
});
