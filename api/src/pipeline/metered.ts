import type { NanoUsd, TokenUsage } from '@tollgate/core/money/money';
import type { Delivered } from '@tollgate/dialects/usage/complete-usage';
import { writeRawUsage } from '@tollgate/dialects/usage/raw-usage';
import { readReportedCost } from '@tollgate/dialects/usage/reported-cost';
import type { UsageReport } from '@tollgate/dialects/usage/usage-report';
import type { EndpointSpec } from '../endpoints.ts';
import type { RelayContext } from './relay.ts';

/** What an answer used, as far as is known. */
export interface Metered {
  /** null: nothing was delivered. */
  usage: TokenUsage | null;
  /** True: a part of it is estimated. */
  estimated: boolean;
  /** True: the provider has reported all of its output, hidden reasoning included. */
  isFinal: boolean;
  /** The provider's usage object as JSON; null: there was none. */
  rawUsage: string | null;
  /** What the provider says the request cost; null: it does not say. */
  reportedCostNanoUsd: NanoUsd | null;
  /** Output tokens of the text that was delivered, in estimate: what is missing to `usage` is hidden reasoning. */
  visibleTokens: number;
}

export const UNMETERED: Metered = {
  usage: null,
  estimated: false,
  isFinal: false,
  rawUsage: null,
  reportedCostNanoUsd: null,
  visibleTokens: 0,
};

/** What the model wrote, and how much of it after the provider last reported usage, in tokens. */
export type Written = Pick<Delivered, 'outputTokens' | 'leastOutputTokens' | 'tokensSinceReport' | 'tools'>;

/** What completes a report. */
type MeterContext = Pick<RelayContext, 'inputTokens' | 'estimateInput'> & {
  spec: Pick<EndpointSpec, 'completeUsage'>;
};

/** Completes the provider's report by what was delivered. */
export function meterAnswer(context: MeterContext, report: UsageReport | null, written: Written): Metered {
  const { spec, inputTokens, estimateInput } = context;
  const completed = spec.completeUsage(report, { ...written, likelyInputTokens: inputTokens, estimateInput });
  return {
    ...completed,
    isFinal: report?.hasOutput === true,
    rawUsage: report === null ? null : writeRawUsage(report.raw),
    reportedCostNanoUsd: report === null ? null : readReportedCost(report.raw),
    visibleTokens: written.outputTokens,
  };
}
