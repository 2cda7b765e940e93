import { Skeleton } from '../../components/ui/skeleton.tsx';
import { cn } from '../../lib/cn.ts';
import { CELL, COLUMNS } from './columns.ts';
import { RequestsTableHead } from './requests-table.tsx';

const ROWS = 8;

/** Placeholder of the table while it loads. */
export function RequestsSkeleton() {
  return (
    <div>
      <output className="sr-only">Loading requests</output>
      <table aria-hidden className="w-full @xl:table-fixed">
        <RequestsTableHead />
        <tbody className="divide-y">
          {Array.from({ length: ROWS }, (_, index) => (
            <tr key={index} className="h-[43px]">
              <td className={cn(CELL, COLUMNS.status)}>
                <Skeleton className="h-5 w-10" />
              </td>
              <td className={cn(CELL, COLUMNS.time)}>
                <Skeleton className="h-3.5 w-16" />
              </td>
              <td className={cn(CELL, COLUMNS.model)}>
                <Skeleton className="h-3.5 w-36 max-w-full" />
              </td>
              <td className={cn(CELL, COLUMNS.key)}>
                <Skeleton className="h-3.5 w-24 max-w-full" />
              </td>
              <td className={cn(CELL, COLUMNS.tokens)}>
                <Skeleton className="ml-auto h-3.5 w-20" />
              </td>
              <td className={cn(CELL, COLUMNS.firstByte)}>
                <Skeleton className="ml-auto h-3.5 w-12" />
              </td>
              <td className={cn(CELL, COLUMNS.latency)}>
                <Skeleton className="ml-auto h-3.5 w-12" />
              </td>
              <td className={cn(CELL, COLUMNS.cost)}>
                <Skeleton className="ml-auto h-3.5 w-16" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
