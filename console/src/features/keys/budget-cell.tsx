import { cn } from '../../lib/cn.ts';
import { RoundedCost } from '../../components/ui/rounded-cost.tsx';
import { formatCap, spentPercent } from '../../lib/format/money.ts';
import type { KeyRow } from '../../lib/trpc.ts';

const NEAR_PERCENT = 80;

/** Budget use of a key: green, amber from 80%, red once it is spent and requests are rejected. */
export function BudgetCell({ row }: { row: Pick<KeyRow, 'spentNanoUsd' | 'shareNanoUsd'> }) {
  const { spentNanoUsd, shareNanoUsd } = row;
  if (shareNanoUsd === null) {
    return (
      <>
        <RoundedCost nanoUsd={spentNanoUsd} /> <span className="whitespace-nowrap text-ink-3">no limit</span>
      </>
    );
  }
  const percent = spentPercent(spentNanoUsd, shareNanoUsd);
  const colour = percent >= 100 ? 'bg-danger' : percent >= NEAR_PERCENT ? 'bg-warn-bar' : 'bg-accent';
  return (
    <>
      <RoundedCost nanoUsd={spentNanoUsd} />{' '}
      <span className="whitespace-nowrap text-ink-3">of {formatCap(shareNanoUsd)}</span>
      <div
        aria-hidden
        className="mt-[5px] h-[5px] w-full max-w-[132px] overflow-hidden rounded-[3px] bg-sunken"
      >
        <div className={cn('h-full', colour)} style={{ width: `${percent}%` }} />
      </div>
      <span className="sr-only">, {percent}% spent</span>
    </>
  );
}
