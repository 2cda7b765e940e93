import { BreakerNote } from './breaker-note.tsx';
import { getFailingKey } from './join-breakers.ts';
import type { SeenBreakers } from './use-breakers.ts';

interface RouteBreakerProps {
  routeId: string;
  breakers: SeenBreakers | null;
  /** True: the last health check of the route has failed. */
  failsCheck: boolean;
}

/** Breaker state of one route, including closed ones. */
export function RouteBreaker({ routeId, breakers, failsCheck }: RouteBreakerProps) {
  if (breakers === null) return null;
  const { routes, reporting, reportedAtMs } = breakers;
  const failing = routes.filter((route) => route.routeId === routeId);
  if (failing.length > 0) {
    return (
      <div className="mt-1 grid gap-1.5">
        {failing.map((route) => (
          <BreakerNote
            key={getFailingKey(route)}
            route={route}
            reporting={reporting}
            reportedAtMs={reportedAtMs}
          />
        ))}
      </div>
    );
  }
  const state = failsCheck ? 'No failed requests' : 'Healthy';
  return (
    <div className="text-[12.5px] text-ink-3">
      {reporting === 0 ? 'Health unknown: no API replica responds' : state}
    </div>
  );
}
