import type { ProviderPlace } from '@tollgate/upstreams/routing/provider-concurrency';
import type { UpstreamTransport } from '@tollgate/upstreams/transport/transport';
import type { Logger } from 'pino';
import type { Route } from '../catalogue/route.ts';
import type { Attempt } from './attempt.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { ForwardedRequest } from './forwarded-request.ts';
import type { RelayContext } from './relay.ts';

/** Whose attempt it is. */
export interface AttemptOwner {
  /** The provider has spoken, and what it says waits for the gate. */
  waitsAtGate(): void;
  /**
   * The provider has answered with an error of its own.
   * @returns true where somebody else is asked: this attempt is over; false where its answer is the one the caller gets
   */
  passOver(attempt: Attempt, failure: AttemptFailure): boolean;
  /** The attempt is over without an answer. */
  failed(attempt: Attempt, failure: AttemptFailure): void;
  /** The attempt is over, the request settled. */
  answered(attempt: Attempt): void;
  /** A part of the answer came after the caller had left. */
  drained(attempt: Attempt): void;
}

export interface AttemptContext {
  relay: RelayContext;
  route: Route;
  forwarded: ForwardedRequest;
  transport: UpstreamTransport;
  log: Logger;
  /** The place at the provider that it takes until it is over. */
  place: ProviderPlace;
  /** True: what the provider says waits until the gate is opened. */
  isGated: boolean;
}
