import type { RouteFailure } from './route-health.ts';

/** What a process has learned about a route, for the other processes that share its breakers and cooldowns. */
export type RouteEvent =
  | { kind: 'failed'; breakerId: string; failure: RouteFailure }
  | { kind: 'succeeded' | 'probed' | 'released'; breakerId: string; accountId: string }
  | { kind: 'recovered' | 'kept-open'; breakerId: string }
  | { kind: 'cooldown'; routeId: string; accountId: string; retryAfterMs: number };

/** Sends an event to the other processes. */
export type ShareRouteEvent = (event: RouteEvent) => void;
