import type { AttemptNext, AttemptStop } from '@tollgate/core/money/ledger';
import type { Route } from '../catalogue/route.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { RetryOutlook } from './retry-outlook.ts';
import type { AttemptRecords } from './attempt-record.ts';
import type { Planned, RoutePlan } from './route-plan.ts';

/** How the route of the next attempt differs from that of a failed one. */
export function compareRoutes(failed: Route, { entered }: Planned<{ route: Route }>): AttemptNext {
  const next = entered.route;
  if (next.id === failed.id && next.isOwn === failed.isOwn) return 'same_route';
  return next.routeId === failed.routeId ? 'other_credential' : 'other_route';
}

/** Records what follows a failed attempt. @returns what follows */
export function noteNext<Followed>(
  attempts: AttemptRecords,
  attempt: object,
  next: AttemptNext,
  planned: Followed,
): Followed {
  attempts.decide(attempt, next);
  return planned;
}

/** Why no attempt follows a failed one at the same model. */
export function findStop(
  { cause }: Pick<AttemptFailure, 'cause'>,
  plan: Pick<RoutePlan, 'isUsedUp'>,
  outlook: Pick<RetryOutlook, 'getRefusal'>,
): AttemptStop {
  if (cause !== undefined) return 'same_everywhere';
  if (plan.isUsedUp) return 'max_attempts';
  return outlook.getRefusal() === null ? 'no_other_route' : 'routes_unavailable';
}
