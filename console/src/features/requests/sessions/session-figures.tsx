import { RoundedCost } from '../../../components/ui/rounded-cost.tsx';
import { Stat, StatGrid } from '../../../components/ui/stat.tsx';
import { formatCount, formatPlural } from '../../../lib/format/count.ts';
import { formatDuration } from '../../../lib/format/duration.ts';
import { formatCostRounded } from '../../../lib/format/money.ts';
import type { RequestSession } from '../../../lib/trpc.ts';
import { describeCached } from './describe-cached.ts';

/** What a session cost, how much of its input was cached, and how long it took. */
export function SessionFigures({ totals }: { totals: RequestSession }) {
  const { requests, isCut, inputTokens, cacheReadTokens, outputTokens, costNanoUsd, busyMs } = totals;
  const average = (BigInt(costNanoUsd) / BigInt(Math.max(requests, 1))).toString();
  return (
    <StatGrid>
      <Stat label="Requests" note={describeEnds(totals)}>
        {formatCount(requests)}
        {isCut && '+'}
      </Stat>
      <Stat label="Cost" note={`${formatCostRounded(average)} per request`}>
        <RoundedCost nanoUsd={costNanoUsd} />
      </Stat>
      <Stat
        label="Cached input"
        note={`${formatCount(cacheReadTokens)} of ${formatCount(inputTokens)} tokens, ${formatCount(outputTokens)} out`}
      >
        {describeCached(totals) ?? '–'}
      </Stat>
      <Stat label="Duration" note={`${formatDuration(busyMs)} in requests`}>
        {formatDuration(Date.parse(totals.lastAt) - Date.parse(totals.firstAt))}
      </Stat>
    </StatGrid>
  );
}

function describeEnds({ failed, open, isCut }: RequestSession): string {
  if (isCut) return 'Only the newest are added up';
  const ends = [
    ...(failed > 0 ? [formatPlural(failed, 'error')] : []),
    ...(open > 0 ? [`${formatCount(open)} in progress`] : []),
  ];
  return ends.length === 0 ? 'No errors' : ends.join(', ');
}
