import type { Clock } from '@tollgate/core/runtime/clock';
import type { Breaker, ReplicaAnswer } from '@tollgate/core/runtime/replica-asks';
import type { Ledger } from '@tollgate/ledger/ledger';
import type { Limits } from '@tollgate/limits/create-limits';
import type { RouteBreakers } from '@tollgate/upstreams/routing/route-breakers';
import { isOwnRouteId, parseRouteId } from '../catalogue/route.ts';
import { parseBreakerId } from '../endpoints.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { InFlight } from '../pipeline/in-flight.ts';

/** Maximum that fits in a message; the most important breakers are kept. */
const MAX_BREAKERS = 20;
const MAX_ERROR_LENGTH = 40;
const URGENCY = { open: 0, 'half-open': 1, closed: 2 } as const;

/** The parts that a replica's description is read from. */
export interface ReplicaParts {
  clock: Clock;
  limits: Pick<Limits, 'health'>;
  ledger: Pick<Ledger, 'health'>;
  inFlight: Pick<InFlight, 'size'>;
  breakers: RouteBreakers;
  isDraining: () => boolean;
}

/** The current state of this replica. */
export function describeReplica(parts: ReplicaParts): ReplicaAnswer {
  const { limits, ledger, inFlight, isDraining } = parts;
  const { isWritable, waiting, waitingHolds, spooledBytes, isSpoolFull } = ledger.health;
  const breakers = listBreakers(parts);
  return {
    about: 'replica',
    version: packageJson.version,
    isDraining: isDraining(),
    inFlight: inFlight.size,
    limits: getKeptBy(limits),
    ...(limits.health() === 'unavailable' && { isRefusing: true }),
    ledger: { isWritable, holds: waitingHolds, settlements: waiting, spooledBytes, isSpoolFull },
    breakers: breakers.slice(0, MAX_BREAKERS),
    breakersLeftOut: Math.max(0, breakers.length - MAX_BREAKERS),
  };
}

/** Consoles of earlier releases know no more. */
export function getKeptBy(limits: Pick<Limits, 'health'>): ReplicaAnswer['limits'] {
  const health = limits.health();
  return health === 'unavailable' ? 'degraded' : health;
}

/** Open breakers first, then by newest failure. Times are durations, because clocks differ. */
function listBreakers({ breakers, clock }: ReplicaParts): Breaker[] {
  const nowMs = clock.nowMs();
  const agoMs = (atMs: number) => Math.max(0, Math.round(nowMs - atMs));
  return (
    breakers
      .reports()
      // With credentials of accounts, which the operator cannot change.
      .filter(({ breakerId }) => !isOwnRouteId(breakerId))
      .toSorted((a, b) => URGENCY[a.state] - URGENCY[b.state] || b.lastFailureAtMs - a.lastFailureAtMs)
      .map((report): Breaker => {
        const { id, part } = parseBreakerId(report.breakerId);
        const { routeId, credentialId } = parseRouteId(id);
        return {
          routeId,
          credentialId,
          counts: part === undefined ? 'completions' : 'token counts',
          state: report.state,
          forMs: agoMs(report.sinceMs),
          retryInMs: Math.round(report.retryInMs),
          failures: report.failures,
          lastError: report.lastError.slice(0, MAX_ERROR_LENGTH),
          lastFailureAgoMs: agoMs(report.lastFailureAtMs),
          blockedAccounts: report.blockedAccounts,
        };
      })
  );
}
