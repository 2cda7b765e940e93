import type { ExecuteContext } from './execute-context.ts';
import type { FallbackCandidate } from './fallback-models.ts';
import type { RetryOutlook } from './retry-outlook.ts';
import type { RoutePlan } from './route-plan.ts';

/** The routes of a model of one request. */
export interface TriedModel {
  context: ExecuteContext;
  plan: RoutePlan;
  outlook: RetryOutlook;
  /** null: the requested model. */
  candidate: FallbackCandidate | null;
}
