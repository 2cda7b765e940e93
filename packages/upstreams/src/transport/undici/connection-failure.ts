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

const SILENT = 'the proxy did not answer: ';

/** The fault of a call that was overdue before its forward proxy gave a connection. */
export function faultOfSilentProxy(fault: UpstreamFault, proxy: string): UpstreamFault {
  return { ...fault, detail: `${SILENT}${fault.detail}`, proxy };
}

/** What was overdue if a proxy did not answer; null: another fault. */
export function findSilence({ detail }: UpstreamFault): string | null {
  return detail.startsWith(SILENT) ? detail.slice(SILENT.length) : null;
}

export const EARLY_BYTES: UpstreamFault = {
  kind: 'protocol',
  detail: 'the provider sent bytes before the request',
};
