import { formatMultiplier } from '@tollgate/core/money/multiplier';
import type { RouteOverview } from '@tollgate/db/queries/catalogue/routes';
import { iso } from '../../output/format.ts';

export function routeJson(route: RouteOverview) {
  return {
    id: route.id,
    model: route.modelId,
    provider: route.providerName,
    upstreamModel: route.upstreamModel,
    priority: route.priority,
    weight: route.weight,
    servedNames: route.servedNames,
    contextTokens: route.contextTokens,
    costMultiplier: formatMultiplier(route.costPpm),
    createdAt: iso(route.createdAt),
  };
}
