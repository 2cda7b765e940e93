import { cn } from '../../lib/cn.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { columnClasses, getId, isRight, getRowHead, type Column } from './column.ts';
import { CELL, PADDING, type Density } from './density.ts';

const ROWS = 5;

interface SkeletonRowsProps<Row> {
  columns: readonly Column<Row>[];
  density: Density;
}

/** Placeholders of the rows, in the shape of the columns. */
export function SkeletonRows<Row>({ columns, density }: SkeletonRowsProps<Row>) {
  const rowHead = getRowHead(columns);
  const hasTwoLines = density === 'normal';
  return (
    <tbody className="divide-y">
      {Array.from({ length: ROWS }, (_, index) => (
        <tr key={index}>
          {columns.map((column) => (
            <td key={getId(column)} className={cn(PADDING[density], CELL[density], columnClasses(column))}>
              <Skeleton
                className={cn('my-[3px] h-3.5 max-w-full', isRight(column) ? 'ml-auto w-14' : 'w-28')}
              />
              {column === rowHead && hasTwoLines && <Skeleton className="my-1 h-3 w-40 max-w-full" />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
