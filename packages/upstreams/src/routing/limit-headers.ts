/**
 * The headers of a limit: how much of it is left, and when there is more. OpenAI sends a duration, which others copied
 * (https://platform.openai.com/docs/guides/rate-limits), Anthropic a time
 * (https://docs.anthropic.com/en/api/rate-limits#response-headers).
 */
const LIMITS: readonly { left: string; reset: string }[] = [
  { left: 'x-ratelimit-remaining-requests', reset: 'x-ratelimit-reset-requests' },
  { left: 'x-ratelimit-remaining-tokens', reset: 'x-ratelimit-reset-tokens' },
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((name) => ({
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
