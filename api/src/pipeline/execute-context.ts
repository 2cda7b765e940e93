import type { Model, Price } from '../catalogue/catalogue.ts';
import type { AdmissionContext } from './admission.ts';
import type { ChosenRoutes, SessionRequest } from './choose-routes.ts';
import type { Drains } from './drains.ts';
import type { FallbackModels } from './fallback-models.ts';
import type { InFlight } from './in-flight.ts';
import type { RelayContext } from './relay.ts';
import type { UpstreamState } from './upstream-state.ts';

/** The context of a completion. */
export interface ExecuteContext extends RelayContext, AdmissionContext {
  model: Model;
  price: Price;
  fallbacks: FallbackModels | null;
  /** What its session is found by. */
  session: SessionRequest;
  /** Why its routes are in this order. */
  chosen: ChosenRoutes;
  upstreams: UpstreamState;
  inFlight: InFlight;
  drains: Drains;
  /** A response in the background: if its caller cancels it, it is not read on. null: the caller waits for the response. */
  background: { readonly isCancelled: boolean } | null;
  /** True: a stream that breaks off is continued if possible. */
  continues: boolean;
}
