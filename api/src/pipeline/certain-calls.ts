import { getAllInputTokens, getAllOutputTokens, type TokenUsage } from '@tollgate/core/money/money';
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import { reportsCalls } from '@tollgate/dialects/usage/read-tool-calls';

/**
 * Adds the calls of server tools that the provider bills for every response, if neither the usage nor the response counts
 * that tool: the response of a search model need not cite the web.
 * @param rawUsage the provider's usage object as JSON; null: none
 */
export function addCertainCalls(
  usage: TokenUsage,
  needs: readonly RateNeed[],
  rawUsage: string | null,
): TokenUsage {
  let added = usage;
  if (getAllInputTokens(usage) + getAllOutputTokens(usage) === 0) return usage;
  for (const need of needs) {
    if (need.kind !== 'tool_calls' || need.leastCalls === undefined) continue;
    const { extras } = added;
    const { tool, leastCalls } = need;
    if (extras?.toolCalls?.[tool] !== undefined || reportsCalls(rawUsage, tool)) continue;
    added = { ...added, extras: { ...extras, toolCalls: { ...extras?.toolCalls, [tool]: leastCalls } } };
  }
  return added;
}
