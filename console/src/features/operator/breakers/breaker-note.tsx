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
  /** Processes that have told. */
  told: number;
  toldAtMs: number;
  /** Said before it, where the page does not say which route it is. */
  name?: string;
}

/** The breaker of a route that fails: in which processes, since when, when it is tried again, and why. */
export function BreakerNote({ route, told, toldAtMs, name }: BreakerNoteProps) {
  const nowMs = useNow(CLOCK_MS);
  const { state, on, counts, replicas } = route;
  const isAlone = told === 1;
  return (
    <div className="grid justify-items-start gap-0.5 text-[12.5px]/[18px] text-ink-2">
      <div className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
        {name !== undefined && <span className="max-w-full truncate font-medium text-ink">{name}</span>}
        <Chip tone={TONES[state]}>
          {STATES[state]}
          {!isAlone && ` on ${on} of ${told} replicas`}
        </Chip>
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
            {describeBreaker(breaker, { toldAtMs, nowMs })}
          </li>
        ))}
        {replicas.length > SHOWN && <li>and {replicas.length - SHOWN} more</li>}
      </ul>
    </div>
  );
}
