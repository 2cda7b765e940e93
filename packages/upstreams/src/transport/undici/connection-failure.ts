import type { UpstreamFault } from '../transport.ts';

/** Carries the fault of a connection through undici, which hands the error to the calls that wait for it. */
export class ConnectionFailure extends Error {
  readonly fault: UpstreamFault;

  constructor(fault: UpstreamFault) {
    super(fault.detail);
    this.name = 'ConnectionFailure';
    this.fault = fault;
  }
}

export const EARLY_BYTES: UpstreamFault = {
  kind: 'protocol',
  detail: 'the provider sent bytes before the request',
};
