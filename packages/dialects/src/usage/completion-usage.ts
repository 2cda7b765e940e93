import type { CompletionUsage } from '@tollgate/core/completion/response';
import { getMediaTokens, getOutputTokens, type TokenUsage } from '@tollgate/core/money/money';
import type { UsageReport } from './usage-report.ts';

/** The usage that answers show; null: nothing was reported that can be read. */
export function getCompletionUsage(report: UsageReport | null): CompletionUsage | null {
  if (report === null || (!report.hasInput && !report.hasOutput)) return null;
  return showUsage(report.usage, report.reasoningTokens);
}

/** A usage as answers show it: audio and images count as input and output, calls of tools are left out. */
export function showUsage(usage: TokenUsage, reasoningTokens: number | null): CompletionUsage {
  const { extras: _, ...tokens } = usage;
  return {
    ...tokens,
    inputTokens: tokens.inputTokens + getMediaTokens(usage, 'input'),
    outputTokens: getOutputTokens(usage),
    reasoningTokens,
  };
}
