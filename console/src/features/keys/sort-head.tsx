import { ArrowDown, ArrowUp } from 'lucide-react';
import { cn } from '../../lib/cn.ts';

type Direction = 'ascending' | 'descending';

interface SortHeadProps {
  label: string;
  /** Order of the first click: numbers and dates descending, names ascending. */
  isFirstDescending: boolean;
  /** null if the list is sorted by another column. */
  direction: Direction | null;
  onSort: (direction: Direction) => void;
  className?: string;
}

/** Header of a sortable column. The label aligns with the cells. */
export function SortHead({ label, isFirstDescending, direction, onSort, className }: SortHeadProps) {
  const first: Direction = isFirstDescending ? 'descending' : 'ascending';
  const other: Direction = direction === 'ascending' ? 'descending' : 'ascending';
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className={className}>
      <button
        type="button"
        onClick={() => onSort(direction === null ? first : other)}
        className={cn(
          'relative -mx-1.5 -my-1 inline-flex h-7 items-center gap-1 rounded-md px-1.5 whitespace-nowrap after:absolute after:-inset-y-1 hover:text-ink pointer-coarse:after:-inset-y-2',
          direction !== null && 'text-ink',
        )}
      >
        {label}
        <Arrow aria-hidden className={cn('size-3 shrink-0', direction === null && 'opacity-0')} />
      </button>
    </th>
  );
}
