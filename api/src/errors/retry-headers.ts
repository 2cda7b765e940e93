import { judgeStatus, parseRetryAfterMs } from '@tollgate/upstreams/routing/retry-policy';
import type { Exchange } from '../exchange.ts';

const SECONDS = /^\d{1,9}(?:\.\d{1,6})?$/;
/** https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7 */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** A provider's wait headers, and the values that they may have; its other headers describe the operator's account. */
const WAIT_HEADERS: Readonly<Record<string, readonly RegExp[]>> = {
  'retry-after': [SECONDS, HTTP_DATE],
  'retry-after-ms': [SECONDS],
};
const SHOULD_RETRY = 'x-should-retry';
const SHOULD_RETRY_VALUES = /^(?:true|false)$/;

/** For a provider's error without a wait. */
const USUAL_WAIT_MS = 1_000;

/**
 * Headers from which SDKs and agents know whether to retry, and when. Without `x-should-retry: false`, Claude Code retries
 * a 401 for minutes, and OpenAI's and Anthropic's SDKs retry any 5xx.
 * @param retryAfterMs null: the same request would fail again
 */
export function getRetryHeaders(retryAfterMs: number | null): Readonly<Record<string, string>> {
  if (retryAfterMs === null) return { [SHOULD_RETRY]: 'false' };
  return {
    'retry-after': String(Math.ceil(retryAfterMs / 1_000)),
    'retry-after-ms': String(Math.ceil(retryAfterMs)),
  };
}

/** Sets {@link getRetryHeaders} on a response. */
export function setRetryHeaders(exchange: Pick<Exchange, 'setHeader'>, retryAfterMs: number | null): void {
  for (const [name, value] of Object.entries(getRetryHeaders(retryAfterMs))) exchange.setHeader(name, value);
}

/**
 * The wait before the request is sent again after a provider's error of a temporary status.
 * @returns null if the provider says that a retry cannot help
 */
export function getProviderWaitMs(header: (name: string) => string | null): number | null {
  if (header(SHOULD_RETRY) === 'false') return null;
  return parseRetryAfterMs(header, Date.now()) ?? USUAL_WAIT_MS;
}

/**
 * Passes a provider's retry headers on if they have the form of the standard, and adds what the status implies.
 * @param head.otherWaitMs until another route may answer, which replaces a longer wait; null: none can
 */
export function relayRetryHeaders(
  exchange: Pick<Exchange, 'setHeader'>,
  {
    status,
    header,
    otherWaitMs,
  }: { status: number; header: (name: string) => string | null; otherWaitMs: number | null },
): void {
  if (otherWaitMs !== null && judgeStatus(status) === 'retryable') {
    const ownWaitMs = getProviderWaitMs(header);
    if (ownWaitMs === null || ownWaitMs > otherWaitMs) return setRetryHeaders(exchange, otherWaitMs);
  }
  let hasWait = false;
  for (const [name, forms] of Object.entries(WAIT_HEADERS)) {
    const value = header(name);
    if (value === null || !forms.some((form) => form.test(value))) continue;
    exchange.setHeader(name, value);
    hasWait = true;
  }
  const shouldRetry = header(SHOULD_RETRY);
  if (shouldRetry !== null && SHOULD_RETRY_VALUES.test(shouldRetry))
    exchange.setHeader(SHOULD_RETRY, shouldRetry);
  else if (judgeStatus(status) !== 'retryable') setRetryHeaders(exchange, null);
  else if (!hasWait) setRetryHeaders(exchange, USUAL_WAIT_MS);
}
