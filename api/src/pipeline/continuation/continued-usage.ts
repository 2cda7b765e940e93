import { NO_USAGE, type TokenUsage } from '@tollgate/core/money/money';
import type { UsageReport } from '@tollgate/dialects/usage/usage-report';

/** What the caller has received when a stream breaks off. */
export interface Delivered {
  /** The input of the request, and the output that was delivered. */
  usage: TokenUsage;
  /** A provider has reported the input. */
  hasInput: boolean;
}

/** What an attempt wrote that continues a stream. */
export interface ContinuedOutput {
  /** null: the provider has reported nothing. */
  report: UsageReport | null;
  /** True: the report covers all output. */
  isFinal: boolean;
  /** Everything that it wrote, in tokens, roughly. */
  writtenTokens: number;
  /** Of this, text that the caller has received before, and text that is held back. */
  repeatedTokens: number;
  /** Of this, reasoning, which the caller does not get. */
  hiddenTokens: number;
  /** Input that it reads in addition to the request: the response so far, and an instruction. */
  addedTokens: number;
}

/** What a continued stream costs its caller, and what is not billed. */
export interface ContinuedUsage {
  billed: TokenUsage;
  /** The input, which the attempt has read once more, and discarded output. */
  unbilled: TokenUsage;
}

/** Of the estimate of a request's input: its tokens are at least this part, one in four. */
const MIN_SHARE = 4;

/** Splits the usage of an attempt that continues a stream. The caller is billed for the request once. */
export function splitUsage({ usage: before, hasInput }: Delivered, output: ContinuedOutput): ContinuedUsage {
  const { report, isFinal, writtenTokens, addedTokens } = output;
  const read = report?.hasInput === true ? getInput(report.usage) : null;
  const input = hasInput || read === null ? getInput(before) : leaveOut(addedTokens, read, getInput(before));
  const produced = isFinal && report !== null ? report.usage.outputTokens : writtenTokens;
  const hidden = Math.max(output.hiddenTokens, report?.reasoningTokens ?? 0);
  const discarded = Math.min(produced, output.repeatedTokens + hidden);
  return {
    billed: { ...input, outputTokens: before.outputTokens + produced - discarded },
    unbilled: { ...(read ?? addInput(input, addedTokens)), outputTokens: discarded },
  };
}

function getInput({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  cacheWrite1hTokens,
}: TokenUsage): TokenUsage {
  return { ...NO_USAGE, inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens };
}

function addInput(input: TokenUsage, tokens: number): TokenUsage {
  return { ...input, inputTokens: input.inputTokens + tokens };
}

function sumInput(usage: TokenUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.cacheWrite1hTokens;
}

/**
 * A long response often has fewer tokens than its estimate. If hardly anything of the request would be left, its own estimate
 * counts.
 */
function leaveOut(added: number, read: TokenUsage, request: TokenUsage): TokenUsage {
  const left = subtractInput(read, added);
  const expected = Math.min(sumInput(request), sumInput(read));
  return sumInput(left) * MIN_SHARE < expected ? subtractInput(read, sumInput(read) - expected) : left;
}

/** The added input is at the end, so it is rarely cached. */
function subtractInput(input: TokenUsage, tokens: number): TokenUsage {
  const left = { ...input };
  let rest = tokens;
  for (const name of ['inputTokens', 'cacheWriteTokens', 'cacheWrite1hTokens', 'cacheReadTokens'] as const) {
    const taken = Math.min(left[name], rest);
    left[name] -= taken;
    rest -= taken;
  }
  return left;
}
