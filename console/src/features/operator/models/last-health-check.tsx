import { describeOutcome } from '@tollgate/core/requests/describe-outcome';
import { formatRelative } from '../../../lib/format/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import type { PlacedRoute } from './route-order.ts';

const CLOCK_MS = 10_000;

/** When a route was last checked, and the result. */
export function LastHealthCheck({ check }: { check: NonNullable<PlacedRoute['healthCheck']> }) {
  const nowMs = useNow(CLOCK_MS);
  const { at, error } = check;
  return (
    <div className="text-[12.5px] text-ink-3">
      Health check {formatRelative(new Date(at), nowMs)}:{' '}
      {error === null ? 'answered' : <span className="text-warn">failed, {describeOutcome(error)}</span>}
    </div>
  );
}
