import type { UpstreamFailure } from '../transport/transport.ts';

/** The result of one real call to a provider: a response with any status, or a failure. */
export type ProbeOutcome = { url: string } & (
  | { ok: true; status: number; body: string }
  | { ok: false; failure: UpstreamFailure }
);

/** Time limit of a provider test. */
export const PROBE_TIMEOUT_MS = 30_000;
/** Limit of bytes read of a response. */
export const PROBE_MAX_BYTES = 4 * 1024 * 1024;
