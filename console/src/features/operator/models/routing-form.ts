import {
  ROUTING_STRATEGIES,
  routingPolicySchema,
  type RoutingPolicy,
  type RoutingStrategy,
} from '@tollgate/core/models/routing-policy';
import { z } from 'zod';
import { readNumberText } from './read-number-text.ts';

/** A routing policy as entered: an empty time is the default. */
const routingTextsSchema = z.object({
  strategy: z.enum(ROUTING_STRATEGIES),
  firstTokenTimeoutMs: z.string(),
  hedgeAfterMs: z.string(),
  retryBudgetMs: z.string(),
  contentPolicyFailover: z.boolean(),
  continueStreams: z.boolean(),
  healthCheckIntervalS: z.string(),
} satisfies Record<keyof RoutingPolicy, z.ZodType>);
export type RoutingTexts = z.infer<typeof routingTextsSchema>;

/** Validated with the server's schema. */
export const routingFormSchema = routingTextsSchema
  .transform((texts) => ({
    ...texts,
    firstTokenTimeoutMs: readNumberText(texts.firstTokenTimeoutMs),
    hedgeAfterMs: readNumberText(texts.hedgeAfterMs),
    retryBudgetMs: readNumberText(texts.retryBudgetMs),
    healthCheckIntervalS: readNumberText(texts.healthCheckIntervalS),
  }))
  .pipe(routingPolicySchema);

export function getRoutingTexts(policy: RoutingPolicy): RoutingTexts {
  return {
    ...policy,
    firstTokenTimeoutMs: policy.firstTokenTimeoutMs?.toString() ?? '',
    hedgeAfterMs: policy.hedgeAfterMs?.toString() ?? '',
    retryBudgetMs: policy.retryBudgetMs?.toString() ?? '',
    healthCheckIntervalS: policy.healthCheckIntervalS?.toString() ?? '',
  };
}

export const STRATEGY_NAMES: Record<RoutingStrategy, string> = {
  weighted: 'Weighted',
  'lowest-latency': 'Lowest latency',
  'lowest-price': 'Lowest price',
  'usage-based': 'Usage based',
};

export const STRATEGY_HINTS: Record<RoutingStrategy, string> = {
  weighted: 'By weight. A session keeps its route.',
  'lowest-latency': 'By recent response times. A few requests measure the other routes.',
  'lowest-price': 'By the expected cost at the provider, with its prompt cache.',
  'usage-based': 'By what is left of the rate limits of the providers.',
};
