import { z } from 'zod';

/** How the routes of a model with the same priority are ordered; the first is the default. */
export const ROUTING_STRATEGIES = ['weighted', 'lowest-latency', 'lowest-price', 'usage-based'] as const;

export type RoutingStrategy = (typeof ROUTING_STRATEGIES)[number];

/** How the requests of a model are routed, as an operator sets it. */
export interface RoutingPolicy {
  strategy: RoutingStrategy;
  /** Time to the first content of a stream, after which another route is tried; null: the default. */
  firstTokenTimeoutMs: number | null;
  /** Time to the first content of a stream, after which another route is started as well; null: never. */
  hedgeAfterMs: number | null;
  /** The longest wait before an attempt at the same route while others are left; null: the default. */
  retryBudgetMs: number | null;
  /** Another route is tried if a provider refuses a request because of its content. */
  contentPolicyFailover: boolean;
  /** A stream that breaks off is continued by another attempt, unless its caller does not want it. */
  continueStreams: boolean;
  /** How often the routes that have not answered a request for that long get a small one, in seconds; null: never. */
  healthCheckIntervalS: number | null;
}

/** The policy of a new model. */
export const DEFAULT_ROUTING: RoutingPolicy = {
  strategy: 'weighted',
  firstTokenTimeoutMs: null,
  hedgeAfterMs: null,
  retryBudgetMs: null,
  contentPolicyFailover: false,
  continueStreams: false,
  healthCheckIntervalS: null,
};

/** Default of a model that reasons before it writes. */
export const REASONING_FIRST_TOKEN_MS = 120_000;
/** Default of other models, for a short input. */
export const FIRST_TOKEN_MS = 10_000;
/** Input tokens for which the default of other models is one second longer. */
export const INPUT_TOKENS_PER_SECOND = 10_000;
export const DEFAULT_RETRY_BUDGET_MS = 2_000;
/** A shorter time would start a second attempt for most requests. */
export const MIN_HEDGE_MS = 100;
export const MAX_FIRST_TOKEN_MS = 3_600_000;
/** A longer wait is left to the caller. */
export const MAX_RETRY_BUDGET_MS = 30_000;
/** More often would cost more than it helps. */
export const MIN_HEALTH_CHECK_S = 10;
export const MAX_HEALTH_CHECK_S = 86_400;

const timeSchema = (min: number, max: number) =>
  z
    .int('Enter a whole number')
    .min(min, `Must be at least ${min}`)
    .max(max, `Must be at most ${max.toLocaleString('en-US')}`)
    .nullable();

/** A policy as operators enter it; validated by client and server. */
export const routingPolicySchema = z.object({
  strategy: z.enum(ROUTING_STRATEGIES),
  firstTokenTimeoutMs: timeSchema(1, MAX_FIRST_TOKEN_MS),
  hedgeAfterMs: timeSchema(MIN_HEDGE_MS, MAX_FIRST_TOKEN_MS),
  retryBudgetMs: timeSchema(0, MAX_RETRY_BUDGET_MS),
  contentPolicyFailover: z.boolean(),
  continueStreams: z.boolean(),
  healthCheckIntervalS: timeSchema(MIN_HEALTH_CHECK_S, MAX_HEALTH_CHECK_S),
} satisfies Record<keyof RoutingPolicy, z.ZodType>);

/** Every member of a policy, in the order of the schema. */
export const ROUTING_FIELDS: readonly (keyof RoutingPolicy)[] = routingPolicySchema.keyof().options;
