import { BreakerNote } from './breaker-note.tsx';
import { getFailingKey } from './join-breakers.ts';
import type { SeenBreakers } from './use-breakers.ts';

const SHOWN = 5;

/** Failing routes of a provider, or nothing. */
export function ProviderBreakers(props: { providerName: string; breakers: SeenBreakers }) {
  const { routes, reporting, reportedAtMs } = props.breakers;
  const failing = routes.filter(({ providerName }) => providerName === props.providerName);
  if (failing.length === 0) return null;
  return (
    <div className="mt-2 grid gap-2 whitespace-normal">
      {failing.slice(0, SHOWN).map((route) => (
        <BreakerNote
          key={getFailingKey(route)}
          route={route}
          reporting={reporting}
          reportedAtMs={reportedAtMs}
          name={route.modelId}
        />
      ))}
      {failing.length > SHOWN && (
        <p className="text-[12.5px] text-ink-2">and {failing.length - SHOWN} more failing routes</p>
      )}
    </div>
  );
}
