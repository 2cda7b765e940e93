import type { UpstreamFault } from '../transport/transport.ts';

/** What came of one real call to a provider: an answer, whatever its status, or the reason why there is none. */
export type ProbeOutcome = { url: string } & (
  | { ok: true; status: number; body: string }
  | { ok: false; fault: Pick<UpstreamFault, 'kind' | 'detail'> }
);

/** Nobody waits longer for a test. */
export const PROBE_TIMEOUT_MS = 30_000;
/** Of an answer, this much is read. */
export const PROBE_MAX_BYTES = 4 * 1024 * 1024;
