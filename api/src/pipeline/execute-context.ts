import type { Model, Price } from '../catalogue/catalogue.ts';
import type { AdmissionContext } from './admission.ts';
import type { Drains } from './drains.ts';
import type { InFlight } from './in-flight.ts';
import type { RelayContext } from './relay.ts';
import type { UpstreamState } from './upstream-state.ts';

/** The context of a completion. */
export interface ExecuteContext extends RelayContext, AdmissionContext {
  model: Model;
  price: Price;
  upstreams: UpstreamState;
  inFlight: InFlight;
  drains: Drains;
}
