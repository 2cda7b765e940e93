import { NO_USAGE } from '@tollgate/core/money/money';
import type { ToolCalls } from './read-tool-calls.ts';
import type { UsageReport } from './usage-report.ts';

const NOTHING_REPORTED: UsageReport = {
  usage: NO_USAGE,
  reasoningTokens: null,
  hasInput: false,
  hasOutput: false,
  isExact: false,
  raw: {},
};

/** Adds calls of server tools counted in the answer itself, if the usage object counts none of that tool. */
export function withToolCalls(report: UsageReport | null, counted: ToolCalls | null): UsageReport | null {
  if (counted === null) return report;
  const base = report ?? NOTHING_REPORTED;
  const { extras } = base.usage;
  const toolCalls = { ...counted, ...extras?.toolCalls };
  return { ...base, usage: { ...base.usage, extras: { ...extras, toolCalls } } };
}
