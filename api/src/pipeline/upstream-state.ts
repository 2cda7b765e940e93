import type { ProviderTransports } from '@tollgate/upstreams/provider-transports';
import type { ProviderConcurrency } from '@tollgate/upstreams/routing/provider-concurrency';
import type { RetryPolicy } from '@tollgate/upstreams/routing/retry-policy';
import type { RouteBreakers } from '@tollgate/upstreams/routing/route-breakers';
import type { RouteCooldowns } from '@tollgate/upstreams/routing/route-cooldowns';
import type { RouteStrategies } from '@tollgate/upstreams/routing/strategies/route-strategies';
import type { UpstreamTransport } from '@tollgate/upstreams/transport/transport';
import type { CredentialStates } from '../catalogue/credential-states.ts';
import type { OwnCredentials } from '../catalogue/own-routes.ts';
import type { ServedRoutes } from '../health-checks/served-routes.ts';

/** State shared by all requests to providers. */
export interface UpstreamState {
  transports: ProviderTransports;
  demo: UpstreamTransport;
  retry: RetryPolicy;
  breakers: RouteBreakers;
  cooldowns: RouteCooldowns;
  concurrency: ProviderConcurrency;
  credentials: CredentialStates;
  strategies: RouteStrategies;
  /** When routes last answered, of models with health checks. */
  served: ServedRoutes;
  /** The credentials of accounts. */
  ownCredentials: OwnCredentials;
}
