import { ArrowDown, ArrowUp } from 'lucide-react';
import { describeChange } from '../../lib/format/change.ts';
import { formatCount } from '../../lib/format/count.ts';
import { formatCostRounded } from '../../lib/format/money.ts';

/** Change of an amount compared with the previous period. */
export function SpendChange({ now, before }: { now: string; before: string }) {
  return <ChangeNote now={Number(now)} before={Number(before)} from={formatCostRounded(before)} />;
}

export function CountChange({ now, before }: { now: number; before: number }) {
  return <ChangeNote now={now} before={before} from={formatCount(before)} />;
}

function ChangeNote({ now, before, from }: { now: number; before: number; from: string }) {
  const { direction, text } = describeChange(now, before);
  if (now === 0 && before === 0) return <>none in either period</>;
  if (direction === 'same') return <>same as previous period</>;
  if (before === 0) return <>no data for the previous period</>;
  const Arrow = direction === 'up' ? ArrowUp : ArrowDown;
  return (
    <>
      <Arrow aria-hidden className="mr-1 inline size-3 align-[-1px]" />
      <span className="sr-only">{direction} </span>
      {text === null ? 'from ' : `${text} from `}
      <span className="whitespace-nowrap">{from}</span>
    </>
  );
}
