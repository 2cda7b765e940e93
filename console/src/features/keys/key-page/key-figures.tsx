import { LastDays } from '../../../components/ui/last-days.tsx';
import { RoundedBalance, RoundedCost } from '../../../components/ui/rounded-cost.tsx';
import { Stat, StatGrid } from '../../../components/ui/stat.tsx';
import { formatPlural } from '../../../lib/format/count.ts';
import { formatCap, formatCost, spentPercent } from '../../../lib/format/money.ts';
import { formatExactDateTime, formatRelative } from '../../../lib/format/time.ts';
import type { KeyView } from '../../../lib/trpc.ts';

/** Spend, remaining budget, recent usage and last use of a key. */
export function KeyFigures({ view, nowMs }: { view: KeyView; nowMs: number }) {
  const { spentNanoUsd, shareNanoUsd, heldNanoUsd, last7Days } = view;
  const left = shareNanoUsd === null ? null : computeRemaining(shareNanoUsd, spentNanoUsd, heldNanoUsd);
  return (
    <StatGrid>
      <Stat
        label="Spent"
        note={
          shareNanoUsd === null
            ? 'no limit'
            : `${spentPercent(spentNanoUsd, shareNanoUsd)}% of ${formatCap(shareNanoUsd)}`
        }
      >
        <RoundedCost nanoUsd={spentNanoUsd} />
      </Stat>
      <Stat
        label="Remaining"
        note={heldNanoUsd === '0' ? '' : `requests in progress may use ${formatCost(heldNanoUsd)}`}
      >
        {left === null ? <span className="text-ink-3">No limit</span> : <RoundedBalance nanoUsd={left} />}
      </Stat>
      <Stat
        label={<LastDays days={7}>Last 7 days</LastDays>}
        note={formatPlural(last7Days.requests, 'request')}
      >
        <RoundedCost nanoUsd={last7Days.costNanoUsd} />
      </Stat>
      <Stat
        label="Last used"
        note={view.lastUsedAt === null ? '' : formatExactDateTime(new Date(view.lastUsedAt))}
      >
        {view.lastUsedAt === null ? (
          <span className="text-ink-3">Never</span>
        ) : (
          formatRelative(new Date(view.lastUsedAt), nowMs)
        )}
      </Stat>
    </StatGrid>
  );
}

function computeRemaining(share: string, spent: string, held: string): string {
  const left = BigInt(share) - BigInt(spent) - BigInt(held);
  return (left > 0n ? left : 0n).toString();
}
