import type { Clock } from '@tollgate/core/runtime/clock';
import type { BreakerPolicy } from '@tollgate/upstreams/routing/circuit-breaker';
import { RouteBreakers } from '@tollgate/upstreams/routing/route-breakers';
import { RouteCooldowns } from '@tollgate/upstreams/routing/route-cooldowns';
import type { RouteEvent } from '@tollgate/upstreams/routing/route-events';
import { SharedRouteBreakers, SharedRouteCooldowns } from '@tollgate/upstreams/routing/shared-routes';
import type { WorkerLink } from './worker-link.ts';

interface RouteStates {
  breakers: RouteBreakers;
  cooldowns: RouteCooldowns;
}

/** The breakers and cooldowns of a process, which workers share. Events of one turn of the event loop are one message. */
export function openRouteStates(link: WorkerLink | null, clock: Clock, policy?: BreakerPolicy): RouteStates {
  if (link === null)
    return { breakers: new RouteBreakers(clock, policy), cooldowns: new RouteCooldowns(clock) };
  let due: RouteEvent[] = [];
  const share = (event: RouteEvent) => {
    due.push(event);
    if (due.length > 1) return;
    setImmediate(() => {
      const events = due;
      due = [];
      link.send({ type: 'routes', events });
    });
  };
  const breakers = new SharedRouteBreakers(share, clock, policy);
  const cooldowns = new SharedRouteCooldowns(share, clock);
  link.onRoutes = (events) => {
    for (const event of events) {
      if (event.kind === 'cooldown') cooldowns.note(event);
      else breakers.note(event);
    }
  };
  return { breakers, cooldowns };
}
