/**
 * The headers of a limit: how much of it is left, and when there is more. OpenAI sends a duration, which others copied
 * (https://platform.openai.com/docs/guides/rate-limits), Anthropic a time
 * (https://docs.anthropic.com/en/api/rate-limits#response-headers).
 */
const LIMITS: readonly { all: string; left: string; reset: string }[] = [
  ...['requests', 'tokens'].map((name) => ({
    all: `x-ratelimit-limit-${name}`,
    left: `x-ratelimit-remaining-${name}`,
    reset: `x-ratelimit-reset-${name}`,
  })),
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((name) => ({
    all: `anthropic-ratelimit-${name}-limit`,
    left: `anthropic-ratelimit-${name}-remaining`,
    reset: `anthropic-ratelimit-${name}-reset`,
  })),
];

/** `1h2m3.5s`, `120ms`, `6m0s`. */
const DURATION =
  /^(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,6}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?$/;
/** Seconds without a unit. */
const SECONDS = /^\d{1,6}(?:\.\d{1,9})?$/;

/** The wait until each limit of which nothing is left allows more. @returns null if something is left of all of them */
export function parseLimitResetMs(header: (name: string) => string | null, nowMs: number): number | null {
  let longestMs: number | null = null;
  for (const { left, reset } of LIMITS) {
    if (header(left) !== '0') continue;
    const waitMs = parseWaitMs(header(reset) ?? '', nowMs);
    if (waitMs !== null && waitMs > (longestMs ?? 0)) longestMs = waitMs;
  }
  return longestMs;
}

/** What a provider has left of one rate limit. */
export interface RemainingLimit {
  /** The header that says what is left. */
  name: string;
  remaining: number;
  /** null: the provider does not name it. */
  limit: number | null;
  /** When all of it is available again, in Unix milliseconds. */
  fullAtMs: number;
}

/** Without a time in the response: rate limits are usually per minute. */
const USUAL_RESET_MS = 60_000;
/** A later time is probably an error. */
const MAX_RESET_MS = 86_400_000;

/** The rate limits of a response, with what is left of them. */
export function parseRemaining(header: (name: string) => string | null, nowMs: number): RemainingLimit[] {
  return LIMITS.flatMap(({ all, left, reset }) => {
    const remaining = parseCount(header(left));
    const limit = parseCount(header(all));
    if (remaining === null || limit === 0) return [];
    const waitMs = parseWaitMs(header(reset) ?? '', nowMs) ?? USUAL_RESET_MS;
    const fullAtMs = nowMs + Math.min(Math.max(waitMs, 0), MAX_RESET_MS);
    return [{ name: left, remaining, limit, fullAtMs }];
  });
}

function parseCount(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function parseWaitMs(text: string, nowMs: number): number | null {
  if (text === '') return null;
  if (SECONDS.test(text)) return Number(text) * 1_000;
  const duration = DURATION.exec(text);
  if (duration !== null) {
    const [hours, minutes, seconds, ms] = duration.slice(1).map((part) => Number(part ?? 0));
    return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1_000 + (ms ?? 0);
  }
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs - nowMs;
}
