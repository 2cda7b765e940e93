/** How often a request is tried before its first byte, and how long it waits in between, in milliseconds. */
export interface RetryPolicy {
  /** Attempts in all, over all routes. */
  attempts: number;
  baseDelayMs: number;
  maxDelayMs: number;
  /** A provider that asks for a longer wait is not waited for. */
  maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 4,
  baseDelayMs: 100,
  maxDelayMs: 2_000,
  maxRetryAfterMs: 3_000,
};

/** What an attempt told about its route and about trying again. */
export type AttemptVerdict =
  /** An answer, be it a refusal of the request itself. */
  | 'answered'
  /** The route cannot serve the request now; another one may, or the same one later. */
  | 'retryable'
  /** The route is set up wrongly: another one may serve the request, trying again is no use. */
  | 'misconfigured';

/** Judges the status that a provider answered with. */
export function judgeStatus(status: number): AttemptVerdict {
  if (status === 401 || status === 402 || status === 403) return 'misconfigured';
  if (status === 408 || status === 409 || status === 429 || status >= 500) return 'retryable';
  return 'answered';
}

/**
 * The wait before an attempt at a route that failed before: full jitter over an exponential bound
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), never shorter than the provider asked for.
 * @param retry 1 for the first retry
 * @returns null where the provider asks for more than the policy waits
 */
export function retryDelayMs(
  policy: RetryPolicy,
  input: { retry: number; retryAfterMs: number | null; random: number },
): number | null {
  if (input.retryAfterMs !== null && input.retryAfterMs > policy.maxRetryAfterMs) return null;
  const bound = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (input.retry - 1));
  return Math.max(input.retryAfterMs ?? 0, Math.floor(input.random * bound));
}

/** Reads `retry-after-ms` or `retry-after` (seconds, or a date of RFC 9110). @returns null where there is none */
export function parseRetryAfterMs(header: (name: string) => string | null, nowMs: number): number | null {
  const precise = Number(header('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(precise) && precise >= 0) return precise;
  const text = header('retry-after');
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
