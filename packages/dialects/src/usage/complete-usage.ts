import { getAllInputTokens, getAllOutputTokens, NO_USAGE, type TokenUsage } from '@tollgate/core/money/money';
import type { ToolTally } from './tool-tally.ts';
import type { UsageReport } from './usage-report.ts';

/** Input is compared with the report from this size on. */
const FEWEST_COMPARED_TOKENS = 1_000;
/** No tokenizer reads 128 bytes, 32 times the usual four, as one token. */
const MAX_INPUT_RATIO = 32;

/** Measurements without the provider's report. */
export interface Delivered {
  /** The input by the size of the request, in tokens. */
  likelyInputTokens: number;
  /** The input by what the model reads, in tokens; called only if needed. */
  estimateInput: () => number;
  /** Everything that the model wrote, in tokens, roughly. */
  outputTokens: number;
  /** Minimum output tokens with any tokenizer. */
  leastOutputTokens: number;
  /** Output after the last report, in tokens. */
  tokensSinceReport: number;
  /** The calls of server tools that the answer shows; absent: the report covers all of it. */
  tools?: ToolTally | undefined;
}

/** A usage that can be billed. */
export interface CompletedUsage {
  usage: TokenUsage;
  /** True: part of the usage is estimated. */
  estimated: boolean;
}

/**
 * Completes what a provider reported. Counts that are missing, unreadable or cannot be true are estimated:
 * no input, no output where text was delivered, or less than any tokenizer needs for it. Text that came after the
 * last report is added, and so are calls of server tools that no report counts, with the input that they read.
 */
export function completeUsage(report: UsageReport | null, delivered: Delivered): CompletedUsage {
  const completed = completeTokens(report, delivered);
  const counted = delivered.tools?.addTo(completed.usage, report);
  if (counted === undefined) return completed;
  return { usage: counted.usage, estimated: completed.estimated || counted.isEstimated };
}

function completeTokens(report: UsageReport | null, delivered: Delivered): CompletedUsage {
  if (report === null) {
    const inputTokens = delivered.estimateInput();
    return { usage: { ...NO_USAGE, inputTokens, outputTokens: delivered.outputTokens }, estimated: true };
  }
  const completed = completeInput(report, delivered);
  const { usage } = completed;
  let { estimated } = completed;
  const written = getAllOutputTokens(usage);
  const isFalse = delivered.outputTokens > 0 && (written === 0 || written < delivered.leastOutputTokens);
  if (!report.hasOutput || isFalse) {
    usage.outputTokens += Math.max(0, delivered.outputTokens - written);
    estimated = true;
  } else if (delivered.tokensSinceReport > 0) {
    usage.outputTokens += delivered.tokensSinceReport;
    estimated = true;
  }
  // A total is the least that input and output are together; what the estimates leave is output if that was not reported.
  const rest = (report.totalTokens ?? 0) - getAllInputTokens(usage) - getAllOutputTokens(usage);
  if (rest > 0 && !report.hasOutput) usage.outputTokens += rest;
  else if (rest > 0 && !report.hasInput) usage.inputTokens += rest;
  return { usage, estimated };
}

/** Completes the input of a report: estimated if it is missing, unreadable or too small to be true. */
export function completeInput(
  report: UsageReport,
  { likelyInputTokens, estimateInput }: Pick<Delivered, 'likelyInputTokens' | 'estimateInput'>,
): CompletedUsage {
  const usage = { ...report.usage };
  if (report.hasInput && !isInputTooSmall(usage, likelyInputTokens))
    return { usage, estimated: !report.isExact };
  usage.inputTokens += Math.max(0, estimateInput() - getAllInputTokens(usage));
  return { usage, estimated: true };
}

/** Input is never empty, and never far smaller than the request. */
function isInputTooSmall(usage: TokenUsage, likelyTokens: number): boolean {
  const tokens = getAllInputTokens(usage);
  return tokens === 0 || (likelyTokens >= FEWEST_COMPARED_TOKENS && tokens * MAX_INPUT_RATIO < likelyTokens);
}
