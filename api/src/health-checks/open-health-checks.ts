import type { Clock } from '@tollgate/core/runtime/clock';
import type { Database } from '@tollgate/db/client';
import { addHealthChecks } from '@tollgate/db/queries/health-checks/health-checks';
import type { Logger } from 'pino';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { UpstreamState } from '../pipeline/upstream-state.ts';
import { CheckTally } from './check-tally.ts';
import type { WorkerLink } from '../workers/worker-link.ts';
import { HealthChecks, type HealthCheckTimes } from './health-checks.ts';

interface OpenOptions {
  db: Database;
  clock: Clock;
  log: Logger;
  upstreams: UpstreamState;
  catalogue: LiveCatalogue;
  healthChecks?: Partial<HealthCheckTimes>;
  link?: WorkerLink | null;
}

/** The health checks of this process, which are not started yet. The caller closes them. */
export function openHealthChecks({
  db,
  healthChecks: times,
  link = null,
  ...rest
}: OpenOptions): HealthChecks {
  const tally = new CheckTally({ store: (counts) => addHealthChecks(db, counts), log: rest.log });
  return new HealthChecks({ ...rest, tally, times, isOff: () => link?.state.isSpeaker === false });
}
