import { Chip } from '../../../components/ui/chip.tsx';
import { useNow } from '../../../lib/use-now.ts';
import { describeBreaker } from './describe-breaker.ts';
import type { FailingRoute } from './join-breakers.ts';

const CLOCK_MS = 1_000;
const SHOWN = 4;
const TONES = { open: 'bad', 'half-open': 'warn', closed: 'neutral' } as const;
const STATES = { open: 'breaker open', 'half-open': 'breaker half-open', closed: 'failing' } as const;

interface BreakerNoteProps {
  route: FailingRoute;
  /** Number of replicas that reported. */
  reporting: number;
  reportedAtMs: number;
  /** Name of the route, if the page does not show it. */
  name?: string;
}

/** Breaker of a failing route: replicas, start, next retry and reason. */
export function BreakerNote({ route, reporting, reportedAtMs, name }: BreakerNoteProps) {
  const nowMs = useNow(CLOCK_MS);
  const { state, on, counts, credential, replicas } = route;
  const isAlone = reporting === 1;
  return (
    <div className="grid justify-items-start gap-0.5 text-[12.5px]/[18px] text-ink-2">
      <div className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
        {name !== undefined && <span className="max-w-full truncate font-medium text-ink">{name}</span>}
        <Chip tone={TONES[state]}>
          {STATES[state]}
          {!isAlone && ` on ${on} of ${reporting} replicas`}
        </Chip>
        {credential !== null && <span>credential {credential}</span>}
        {counts === 'token counts' && <span>token counting</span>}
      </div>
      <ul className="min-w-0">
        {replicas.slice(0, SHOWN).map((breaker) => (
          <li key={breaker.replicaId}>
            {!isAlone && (
              <span className="text-ink-3">
                <span className="font-mono">…{breaker.replicaId.slice(-6)}</span>
                {breaker.state !== state && ` ${STATES[breaker.state]}`}{' '}
              </span>
            )}
            {describeBreaker(breaker, { reportedAtMs, nowMs })}
          </li>
        ))}
        {replicas.length > SHOWN && <li>and {replicas.length - SHOWN} more</li>}
      </ul>
    </div>
  );
}
