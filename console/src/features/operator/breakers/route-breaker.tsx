import { BreakerNote } from './breaker-note.tsx';
import type { SeenBreakers } from './use-breakers.ts';

/** The breaker of one route, also where it is closed. */
export function RouteBreaker({ routeId, breakers }: { routeId: string; breakers: SeenBreakers | null }) {
  if (breakers === null) return null;
  const { routes, told, toldAtMs } = breakers;
  const failing = routes.filter((route) => route.routeId === routeId);
  if (failing.length > 0) {
    return (
      <div className="mt-1 grid gap-1.5">
        {failing.map((route) => (
          <BreakerNote key={route.counts} route={route} told={told} toldAtMs={toldAtMs} />
        ))}
      </div>
    );
  }
  return (
    <div className="text-[12.5px] text-ink-3">
      {told === 0 ? 'Health unknown: no API replica responds' : 'Healthy'}
    </div>
  );
}
