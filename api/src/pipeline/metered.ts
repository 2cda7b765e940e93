import type { NanoUsd, TokenUsage } from '@tollgate/core/money/money';
import type { Delivered } from '@tollgate/dialects/usage/complete-usage';
import { writeRawUsage } from '@tollgate/dialects/usage/raw-usage';
import { readReportedCost } from '@tollgate/dialects/usage/reported-cost';
import type { UsageReport } from '@tollgate/dialects/usage/usage-report';
import type { Redact } from '../catalogue/error-redactor.ts';
import type { EndpointSpec } from '../endpoints.ts';

/** The usage of a response, as far as it is known. */
export interface Metered {
  /** null: nothing was delivered. */
  usage: TokenUsage | null;
  /** True: part of the usage is estimated. */
  estimated: boolean;
  /** True: the provider has reported all output, including hidden reasoning. */
  isFinal: boolean;
  /** The provider's usage object as JSON; null: none. */
  rawUsage: string | null;
  /** The cost reported by the provider; null: not reported. */
  reportedCostNanoUsd: NanoUsd | null;
  /** Estimated output tokens of the delivered text: the rest of `usage` is hidden reasoning. */
  visibleTokens: number;
  /** As reported by the provider; null: not reported. */
  reasoningTokens: number | null;
}

export const UNMETERED: Metered = {
  usage: null,
  estimated: false,
  isFinal: false,
  rawUsage: null,
  reportedCostNanoUsd: null,
  visibleTokens: 0,
  reasoningTokens: null,
};

/** What the model wrote, and how much of it after the provider last reported usage, in tokens. */
export type Written = Pick<Delivered, 'outputTokens' | 'leastOutputTokens' | 'tokensSinceReport' | 'tools'>;

/** The inputs that complete a report. */
interface MeterContext {
  spec: Pick<EndpointSpec, 'completeUsage'>;
  /** Estimated input by request size, in tokens. */
  inputTokens: number;
  estimateInput: () => number;
  /** For the usage object as it is stored. */
  redact: Redact;
}

/** Completes the provider's report with what was delivered. */
export function meterAnswer(context: MeterContext, report: UsageReport | null, written: Written): Metered {
  const { spec, inputTokens, estimateInput } = context;
  // Without a spread, which takes longer than all the rest for a small response.
  const { usage, estimated } = spec.completeUsage(report, {
    likelyInputTokens: inputTokens,
    estimateInput,
    outputTokens: written.outputTokens,
    leastOutputTokens: written.leastOutputTokens,
    tokensSinceReport: written.tokensSinceReport,
    tools: written.tools,
  });
  return {
    usage,
    estimated,
    isFinal: report?.hasOutput === true,
    rawUsage: report === null ? null : writeRawUsage(report.raw, context.redact),
    reportedCostNanoUsd: report === null ? null : readReportedCost(report.raw),
    visibleTokens: written.outputTokens,
    reasoningTokens: report?.reasoningTokens ?? null,
  };
}
