import type { TokenUsage } from '@tollgate/core/money/money';
import { z } from 'zod';

const calls = z.number().catch(0).nullish();

/** Calls of tools that the provider ran, as Anthropic and OpenRouter report them in `usage`. */
export const serverToolUse = z.object({ web_search_requests: calls, web_fetch_requests: calls }).nullish();

/** Billed units in addition to tokens, as a part of a usage; empty if there are none. */
export function getExtras(
  reported: z.infer<typeof serverToolUse>,
  known: TokenUsage['extras'],
): Pick<TokenUsage, 'extras'> {
  const counts = [
    ['web_search', reported?.web_search_requests ?? 0],
    ['web_fetch', reported?.web_fetch_requests ?? 0],
  ] as const;
  const toolCalls = Object.fromEntries(counts.filter(([, count]) => count > 0));
  if (Object.keys(toolCalls).length === 0) return known === undefined ? {} : { extras: known };
  return { extras: { ...known, toolCalls: { ...known?.toolCalls, ...toolCalls } } };
}
