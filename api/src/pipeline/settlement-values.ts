import {
  getAllInputTokens,
  getAllOutputTokens,
  type NanoUsd,
  type TokenUsage,
} from '@tollgate/core/money/money';
import type { Route } from '../catalogue/route.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { Bill } from './bill-usage.ts';
import type { Outcome } from './outcome.ts';

/** nginx's status for a caller that disconnected first; recorded, never sent. */
const CLIENT_GONE_STATUS = 499;
export const CLIENT_GONE = {
  status: CLIENT_GONE_STATUS,
  errorCode: 'client_gone',
} as const satisfies Outcome;

/** Checkpoint interval of streams: a crash loses at most this much. */
export const CHECKPOINT_EVERY_MS = 2_000;

/** How a response in flight is billed if this process dies. */
export function asLost(usage: TokenUsage): Outcome {
  return { status: CLIENT_GONE_STATUS, errorCode: 'replica_lost', usage, estimated: true };
}

/** `anthropic.claude-sonnet-5-v1:0` of Bedrock, `anthropic/claude-opus-5` of OpenRouter. */
const CLAUDE = /(?:^|[./])claude-/i;

/**
 * The tokens that a request counts in its tokens per minute. Anthropic does not count input that it reads from its cache
 * (https://platform.claude.com/docs/en/api/rate-limits), OpenAI does
 * (https://platform.openai.com/docs/guides/prompt-caching).
 * @param route null: no provider was called
 */
export function getLimitedTokens(
  usage: TokenUsage,
  { countsCacheReads }: Pick<CachedKey['plan'], 'countsCacheReads'>,
  route: Pick<Route, 'upstreamModel'> | null,
): number {
  const tokens = getAllInputTokens(usage) + getAllOutputTokens(usage);
  return areReadsCounted({ countsCacheReads }, route) ? tokens : tokens - usage.cacheReadTokens;
}

/** True: input that the provider reads from its cache counts. */
export function areReadsCounted(
  { countsCacheReads }: Pick<CachedKey['plan'], 'countsCacheReads'>,
  route: Pick<Route, 'upstreamModel'> | null,
): boolean {
  return countsCacheReads ?? !CLAUDE.test(route?.upstreamModel ?? '');
}

/** @returns null if all usage has a price */
export function joinMismatch(served: string | null, missing: readonly string[] = []): string | null {
  const all = served === null ? missing : [served, ...missing];
  return all.length === 0 ? null : all.join(', ');
}

/**
 * Usage without a known price is charged at the maximum cost of the request.
 * @param grantedNanoUsd null: nothing was put on hold
 */
export function chargeMismatch(bill: Bill, mismatch: string | null, grantedNanoUsd: NanoUsd | null): Bill {
  const isUnknown = joinMismatch(mismatch, bill.missing) !== null && bill.costNanoUsd !== 0n;
  return isUnknown && grantedNanoUsd !== null ? { ...bill, costNanoUsd: grantedNanoUsd } : bill;
}
