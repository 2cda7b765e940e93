import type { ProviderPlace } from '@tollgate/upstreams/routing/provider-concurrency';
import type { UpstreamTransport } from '@tollgate/upstreams/transport/transport';
import type { Logger } from 'pino';
import type { Route } from '../catalogue/route.ts';
import type { Attempt } from './attempt.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { ForwardedRequest } from './forwarded-request.ts';
import type { RelayContext } from './relay.ts';

/** Callbacks of the request that an attempt belongs to. */
export interface AttemptOwner {
  /** The provider has responded, but the gate is closed. */
  waitsAtGate(): void;
  /**
   * The provider has responded with an error.
   * @returns true if another route is tried and this attempt is over; false if the caller gets this error
   */
  passOver(attempt: Attempt, failure: AttemptFailure): boolean;
  /** The attempt ended without a response. */
  failed(attempt: Attempt, failure: AttemptFailure): void;
  /** The attempt is over and the request is settled. */
  answered(attempt: Attempt): void;
  /** Part of the response arrived after the caller disconnected. */
  drained(attempt: Attempt): void;
}

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
