import { ArrowDown, ArrowUp } from 'lucide-react';
import { describeChange } from '../../lib/format/change.ts';
import { formatCount } from '../../lib/format/count.ts';
import { formatBalanceShort } from '../../lib/format/money.ts';

/** How a sum of money compares with the one of the period before. */
export function SpendChange({ now, before }: { now: string; before: string }) {
  return <ChangeNote now={Number(now)} before={Number(before)} from={formatBalanceShort(before)} />;
}

export function CountChange({ now, before }: { now: number; before: number }) {
  return <ChangeNote now={now} before={before} from={formatCount(before)} />;
}

function ChangeNote({ now, before, from }: { now: number; before: number; from: string }) {
  const { direction, text } = describeChange(now, before);
  if (now === 0 && before === 0) return <>none before either</>;
  if (direction === 'same') return <>as in the period before</>;
  if (before === 0) return <>nothing in the period before</>;
  const Arrow = direction === 'up' ? ArrowUp : ArrowDown;
  return (
    <span className="inline-flex items-center gap-1">
      <Arrow aria-hidden className="size-3" />
      <span className="sr-only">{direction} by </span>
      {text} from {from}
    </span>
  );
}
