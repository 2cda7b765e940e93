import type { Dialect } from '@tollgate/core/models/dialect';
import type { ProviderPlace } from '@tollgate/upstreams/routing/provider-concurrency';
import type { UpstreamTransport } from '@tollgate/upstreams/transport/transport';
import type { Logger } from 'pino';
import type { Route } from '../catalogue/route.ts';
import type { ForwardedRequest } from './forwarded-request.ts';
import type { Relay, RelayContext } from './relay.ts';

export interface AttemptContext {
  relay: RelayContext;
  route: Route;
  forwarded: ForwardedRequest;
  transport: Pick<UpstreamTransport, 'send'>;
  log: Logger;
  /** The place at the provider, held until the attempt is over. */
  place: ProviderPlace;
  /** True: the provider's response is buffered until the gate opens. */
  isGated: boolean;
  /** Writes the rest of a stream that broke off; null: the response is written from its beginning. */
  continued: ContinuedRelay | null;
}

/** The dialect of the provider's response. */
export function getDialect({ relay, forwarded }: Pick<AttemptContext, 'relay' | 'forwarded'>): Dialect {
  return (forwarded.translated ?? relay.spec).dialect;
}

/** The rest of a stream. */
export interface ContinuedRelay extends Relay {
  /** The provider has sent the headers of a stream. */
  open(): void;
  /** True: it has been empty for too long, and another attempt may send it. */
  isSilent(nowMs: number): boolean;
}
