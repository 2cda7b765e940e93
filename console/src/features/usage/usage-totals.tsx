import { Stat, StatGrid } from '../../components/ui/stat.tsx';
import { formatCount } from '../../lib/format/count.ts';
import type { UsageReport } from '../../lib/trpc.ts';
import { RoundedCost } from '../../components/ui/rounded-cost.tsx';
import { CountChange, SpendChange } from './change-note.tsx';
import { describeRate } from './error-rate.ts';

/** Totals of the period compared with the previous period. */
export function UsageTotals({ report: { totals, previousTotals } }: { report: UsageReport }) {
  const tokens = totals.inputTokens + totals.outputTokens;
  const tokensBefore = previousTotals.inputTokens + previousTotals.outputTokens;
  return (
    <StatGrid>
      <Stat label="Spend" note={<SpendChange now={totals.costNanoUsd} before={previousTotals.costNanoUsd} />}>
        <RoundedCost nanoUsd={totals.costNanoUsd} />
      </Stat>
      <Stat label="Requests" note={<CountChange now={totals.requests} before={previousTotals.requests} />}>
        {formatCount(totals.requests)}
      </Stat>
      <Stat label="Tokens" note={<CountChange now={tokens} before={tokensBefore} />}>
        {formatCount(tokens)}
      </Stat>
      <Stat
        label="Error rate"
        note={previousTotals.requests > 0 && `${describeRate(previousTotals)} in the previous period`}
      >
        {describeRate(totals)}
      </Stat>
    </StatGrid>
  );
}
