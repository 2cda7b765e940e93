import { ArrowDown, ArrowUp } from 'lucide-react';
import { cn } from '../../lib/cn.ts';
import { columnClasses, getId, isRight, kindClasses, type Column, type SortDirection } from './column.ts';
import { PADDING, type Density } from './density.ts';

export interface Sort {
  /** Id of the column. */
  by: string;
  direction: SortDirection;
}

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  density: Density;
  isSticky: boolean;
  /** True: only screen readers get the header. It has no height, but sets the widths of the columns. */
  isHidden: boolean;
  sort?: Sort | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  className?: string | undefined;
}

export function TableHead<Row>(props: TableHeadProps<Row>) {
  const { columns, density, isSticky, isHidden, sort, onSort, className } = props;
  const cells = cn(
    'py-[9px] text-left text-xs font-medium whitespace-nowrap text-ink-3',
    PADDING[density],
    // A border does not move with sticky cells.
    isSticky && 'bg-surface shadow-[inset_0_-1px_0_var(--line)]',
    isHidden && 'p-0',
  );
  return (
    <thead className={cn(isSticky && 'sticky top-0 z-20', className)}>
      <tr className={cn(!isSticky && !isHidden && 'border-b')}>
        {columns.map((column) => {
          const id = getId(column);
          const direction = sort?.by === id ? sort.direction : null;
          const isSortable = column.firstSort !== undefined && onSort !== undefined;
          return (
            <th
              key={id}
              scope="col"
              aria-sort={isSortable ? (direction ?? 'none') : undefined}
              className={cn(
                cells,
                columnClasses(column),
                column.kind === 'actions' && kindClasses(column),
                isRight(column) && 'text-right',
              )}
            >
              {isSortable ? (
                <SortButton
                  column={column}
                  direction={direction}
                  onSort={(next) => onSort({ by: id, direction: next })}
                />
              ) : (
                <HeadText column={column} isHidden={isHidden} />
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function HeadText<Row>({ column, isHidden = false }: { column: Column<Row>; isHidden?: boolean }) {
  const { head, headContent, isHeadHidden = false } = column;
  if (headContent !== undefined) return headContent;
  return isHeadHidden || isHidden ? <span className="sr-only">{head}</span> : head;
}

interface SortButtonProps<Row> {
  column: Column<Row>;
  /** null: the table is sorted by another column. */
  direction: SortDirection | null;
  onSort: (direction: SortDirection) => void;
}

/** Sorts by the column; a second click reverses the order. Its text aligns with the cells. */
function SortButton<Row>({ column, direction, onSort }: SortButtonProps<Row>) {
  const other = direction === 'ascending' ? 'descending' : 'ascending';
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={() => onSort(direction === null ? (column.firstSort ?? 'ascending') : other)}
      className={cn(
        'relative -mx-1.5 -my-1 inline-flex min-h-7 max-w-48 items-center rounded-md px-1.5 after:absolute after:inset-x-0 after:-inset-y-1 hover:text-ink pointer-coarse:after:-inset-y-2',
        direction !== null && 'text-ink',
      )}
    >
      <span className="truncate">
        <HeadText column={column} />
      </span>
      {direction !== null && (
        // In the padding of the cell, so that sorting moves nothing.
        <Arrow
          aria-hidden
          className={cn('absolute size-3', isRight(column) ? 'right-full -mr-1.5' : 'left-full -ml-1')}
        />
      )}
    </button>
  );
}
