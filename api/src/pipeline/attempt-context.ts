import type { ProviderPlace } from '@tollgate/upstreams/routing/provider-concurrency';
import type { UpstreamTransport } from '@tollgate/upstreams/transport/transport';
import type { Logger } from 'pino';
import type { Route } from '../catalogue/route.ts';
import type { ForwardedRequest } from './forwarded-request.ts';
import type { RelayContext } from './relay.ts';

export interface AttemptContext {
  relay: RelayContext;
  route: Route;
  forwarded: ForwardedRequest;
  transport: UpstreamTransport;
  log: Logger;
  /** The place at the provider, held until the attempt is over. */
  place: ProviderPlace;
  /** True: the provider's response is buffered until the gate opens. */
  isGated: boolean;
}
