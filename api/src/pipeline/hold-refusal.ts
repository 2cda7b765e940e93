import type { GatewayError } from '@tollgate/core/errors/errors';
import { formatUsd, type NanoUsd } from '@tollgate/core/money/money';
import type { HoldOutcome } from '@tollgate/ledger/pending-hold';
import {
  affordableAfterTurns,
  affordableOutputTokens,
  MIN_OUTPUT_TOKENS,
} from '@tollgate/ledger/hold-amounts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { RequestHold } from './request-hold.ts';

/** Holds of requests in flight shrink to their cost within seconds. */
const RESERVED_RETRY_SECONDS = 1;

export const LEDGER_UNAVAILABLE: GatewayError = {
  code: 'ledger_unavailable',
  message: 'Tollgate cannot record the cost of requests because its database does not respond. Try again.',
};

/** The error for a request that could not be paid for. */
export function holdRefusal(
  refused: Extract<HoldOutcome, { ok: false }>,
  hold: RequestHold,
  { key, consoleUrl }: { key: CachedKey; consoleUrl: string | null },
): GatewayError {
  switch (refused.reason) {
    case 'budget_exceeded': {
      const budget = key.maxBudgetNanoUsd ?? 0n;
      const spent = `$${formatUsd(budget - refused.leftNanoUsd)} of $${formatUsd(budget)} spent`;
      const rest = `A budget cannot be raised: create a new key with a higher budget ${inConsole('/keys', consoleUrl)}`;
      const worst = worstCase(
        hold,
        hold.amounts.keyMinNanoUsd,
        affordableAfterTurns(hold.bounds, refused.leftNanoUsd),
      );
      return {
        code: 'budget_exceeded',
        message:
          refused.leftNanoUsd > 0n
            ? `The budget of this Tollgate API key is too low for this request: ${spent}, and ${worst} ${rest}`
            : `The budget of this Tollgate API key is used up: ${spent}. ${rest}`,
      };
    }
    case 'insufficient_balance': {
      const left = refused.leftNanoUsd > 0n ? refused.leftNanoUsd : 0n;
      const worst = worstCase(hold, hold.amounts.minNanoUsd, affordableOutputTokens(hold.bounds, left));
      return {
        code: 'insufficient_balance',
        message: `The Tollgate balance of this account is too low for this request: $${formatUsd(left)} left, and ${worst} Top up ${inConsole('/billing', consoleUrl)}`,
      };
    }
    case 'reserved':
      return {
        code: 'budget_reserved',
        message: `The remaining $${formatUsd(refused.leftNanoUsd)} is on hold in Tollgate for requests in progress. Most of it is released when they end. Try again in ${RESERVED_RETRY_SECONDS} s, or set a lower output maximum, which holds less.`,
        retryAfterMs: RESERVED_RETRY_SECONDS * 1_000,
      };
    case 'gone':
      return {
        code: 'invalid_api_key',
        message:
          'Authentication Error: this API key no longer exists in Tollgate. Create a new key in the Tollgate console.',
      };
    case 'unavailable':
      return LEDGER_UNAVAILABLE;
    case 'unstorable':
      return {
        code: 'internal_error',
        message:
          "The gateway could not record this request, so it was not sent. Give the request ID to the gateway's operator.",
      };
  }
}

/** Agents show the message to the person who can act, so it has a link. */
function inConsole(page: string, consoleUrl: string | null): string {
  return consoleUrl === null
    ? 'in the Tollgate console.'
    : `in the Tollgate console: ${new URL(page, consoleUrl).href}`;
}

/** What the request needs, and the affordable output. */
function worstCase(
  { bounds, hasServerTools }: RequestHold,
  neededNanoUsd: NanoUsd,
  affordable: number,
): string {
  const sentences = [`it could cost up to $${formatUsd(neededNanoUsd)}.`];
  if (hasServerTools)
    sentences.push(
      'That includes the tools that the provider runs (their calls, and what the model reads again after each of them): limit their calls (max_uses, max_tool_calls) or leave them out.',
    );
  if (bounds.compaction !== undefined) sentences.push('That includes a compaction of the conversation.');
  if (bounds.isMaxNamed && affordable >= MIN_OUTPUT_TOKENS)
    sentences.push(`At most ${affordable} output tokens are affordable.`);
  return sentences.join(' ');
}
