import type { UpstreamFailure } from '../transport.ts';

/** Carries the failure of a connection through undici, which hands the error to the calls that wait for it. */
export class ConnectionFailure extends Error {
  readonly failure: UpstreamFailure;

  constructor(failure: UpstreamFailure) {
    super(failure.detail);
    this.name = 'ConnectionFailure';
    this.failure = failure;
  }
}

const SILENT = 'the proxy did not answer: ';

/** The failure of a call that was overdue before its forward proxy gave a connection. */
export function getSilentProxyFailure(failure: UpstreamFailure, proxy: string): UpstreamFailure {
  return { ...failure, detail: `${SILENT}${failure.detail}`, proxy };
}

/** What was overdue if a proxy did not answer; null: another failure. */
export function findSilence({ detail }: UpstreamFailure): string | null {
  return detail.startsWith(SILENT) ? detail.slice(SILENT.length) : null;
}

export const EARLY_BYTES: UpstreamFailure = {
  kind: 'protocol',
  detail: 'the provider sent bytes before the request',
};
