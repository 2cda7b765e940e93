import type { RoutePattern } from '@tollgate/db/queries/catalogue/route-patterns';
import { iso } from '../../output/format.ts';

export function patternJson(pattern: RoutePattern) {
  return {
    id: pattern.id,
    pattern: pattern.pattern,
    provider: pattern.providerName,
    strip: pattern.strip === '' ? null : pattern.strip,
    priority: pattern.priority,
    weight: pattern.weight,
    models: pattern.knownModels,
    createdAt: iso(pattern.createdAt),
  };
}
