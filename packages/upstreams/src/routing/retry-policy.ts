/** Attempts per request before its first byte, and the waits between them, in milliseconds. */
export interface RetryPolicy {
  /** Attempts over all routes together. */
  attempts: number;
  baseDelayMs: number;
  maxDelayMs: number;
  /** A provider that requests a longer wait is not retried. */
  maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 4,
  baseDelayMs: 100,
  maxDelayMs: 2_000,
  maxRetryAfterMs: 3_000,
};

/** The result of an attempt for its route and for retries. */
export type AttemptVerdict =
  /** A response, including a refusal of the request itself. */
  | 'answered'
  /** The route cannot serve the request now; another route or a retry may. */
  | 'retryable'
  /** The route is misconfigured: another route may serve the request, a retry cannot. */
  | 'misconfigured';

/**
 * Statuses below 500 that a retry may change, and what they are about: 425 asks for a retry
 * (https://www.rfc-editor.org/rfc/rfc8470#section-5.2), and servers in front of a provider send 499 when the connection to it ended.
 */
const RETRYABLE: ReadonlyMap<number, 'request' | 'route'> = new Map([
  [408, 'route'],
  [409, 'request'],
  [425, 'request'],
  [429, 'request'],
  [499, 'route'],
]);

/** Classifies a provider's response status. */
export function judgeStatus(status: number): AttemptVerdict {
  if (status === 401 || status === 402 || status === 403) return 'misconfigured';
  return RETRYABLE.has(status) || status >= 500 ? 'retryable' : 'answered';
}

/** True if an error of this status says nothing about the route: it refuses only one request now. */
export function isAboutRequest(status: number): boolean {
  return RETRYABLE.get(status) === 'request';
}

/**
 * The wait before a retry at a route: full jitter over an exponential bound
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), at least the provider's retry-after.
 * @param retry 1 for the first retry
 * @returns null if the provider requests more than the policy waits
 */
export function retryDelayMs(
  policy: RetryPolicy,
  input: { retry: number; retryAfterMs: number | null; random: number },
): number | null {
  if (input.retryAfterMs !== null && input.retryAfterMs > policy.maxRetryAfterMs) return null;
  const bound = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (input.retry - 1));
  return Math.max(input.retryAfterMs ?? 0, Math.floor(input.random * bound));
}

/** Reads `retry-after-ms` or `retry-after` (seconds, or a date of RFC 9110). @returns null if absent */
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
