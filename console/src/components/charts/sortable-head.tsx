import { ArrowDown, ArrowUp } from 'lucide-react';
import { cn } from '../../lib/cn.ts';

export type SortDirection = 'ascending' | 'descending';

interface SortableHeadProps {
  label: string;
  /** Numbers stand at the right, and are sorted from the largest first. */
  isNumber: boolean;
  /** null: the table is sorted by another column. */
  direction: SortDirection | null;
  onSort: (direction: SortDirection) => void;
  className?: string;
}

/** The head of a column that its table can be sorted by. */
export function SortableHead({ label, isNumber, direction, onSort, className }: SortableHeadProps) {
  const first = isNumber ? 'descending' : 'ascending';
  const other = direction === 'ascending' ? 'descending' : 'ascending';
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={direction ?? 'none'}
      className={cn(
        'px-2 py-1 text-xs font-medium text-ink-3',
        isNumber ? 'text-right' : 'text-left',
        className,
      )}
    >
      <button
        type="button"
        onClick={() => onSort(direction === null ? first : other)}
        className={cn(
          'inline-flex h-7 max-w-48 items-center gap-1 rounded-md px-1.5 whitespace-nowrap hover:text-ink pointer-coarse:h-11',
          isNumber && 'flex-row-reverse',
          direction !== null && 'text-ink',
        )}
      >
        <span className="truncate">{label}</span>
        <Arrow aria-hidden className={cn('size-3 shrink-0', direction === null && 'opacity-0')} />
      </button>
    </th>
  );
}
