import type { Sealer } from '@tollgate/auth/seal';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { Database } from '@tollgate/db/client';
import { createDemoTransport } from '@tollgate/upstreams/demo/demo-transport';
import { createProviderTransports } from '@tollgate/upstreams/provider-transports';
import type { BreakerPolicy } from '@tollgate/upstreams/routing/circuit-breaker';
import { DEFAULT_RETRY, type RetryPolicy } from '@tollgate/upstreams/routing/retry-policy';
import { RouteStrategies } from '@tollgate/upstreams/routing/strategies/route-strategies';
import type { UpstreamTransport } from '@tollgate/upstreams/transport/transport';
import type { Logger } from 'pino';
import { ServedRoutes } from '../health-checks/served-routes.ts';
import type { UpstreamState } from '../pipeline/upstream-state.ts';
import { openConcurrency } from '../workers/share-places.ts';
import { openRouteStates } from '../workers/share-routes.ts';
import type { WorkerLink } from '../workers/worker-link.ts';
import { CredentialStates } from './credential-states.ts';
import { openCredentialStore } from './credential-store.ts';
import { OwnCredentials } from './own-routes.ts';

interface UpstreamStateOptions {
  db: Database;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
  http: UpstreamTransport;
  retry?: RetryPolicy;
  breaker?: BreakerPolicy;
  link?: WorkerLink | null;
}

/** The caller closes its transports and its credentials. */
export function createUpstreamState(options: UpstreamStateOptions): UpstreamState {
  const { db, sealer, clock, log, http, retry = DEFAULT_RETRY, breaker } = options;
  return {
    transports: createProviderTransports(http),
    demo: createDemoTransport(),
    retry,
    ...openRouteStates(options.link ?? null, clock, breaker),
    concurrency: openConcurrency(options.link ?? null),
    credentials: new CredentialStates({ store: openCredentialStore(db), clock, log }),
    ownCredentials: new OwnCredentials({ sealer, log }),
    strategies: new RouteStrategies(clock),
    served: new ServedRoutes(),
  };
}
