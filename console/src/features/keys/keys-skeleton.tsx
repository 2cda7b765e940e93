import { Skeleton } from '../../components/ui/skeleton.tsx';
import { cn } from '../../lib/cn.ts';
import { CELL, COLUMNS } from './columns.ts';
import { KeysTableHead } from './keys-table.tsx';
import type { KeysSearch } from './search.ts';

const ROWS = 4;

/** Placeholder of the table while it loads. */
export function KeysSkeleton({ search }: { search: KeysSearch }) {
  return (
    <div>
      <output className="sr-only">Loading keys</output>
      <table aria-hidden inert className="w-full">
        <KeysTableHead search={search} selection={null} />
        <tbody className="divide-y">
          {Array.from({ length: ROWS }, (_, index) => (
            <tr key={index}>
              <td className={cn(CELL, 'w-full @xl:w-auto @2xl:w-[26%]')}>
                <TwoLines first="w-32" second="w-28" />
              </td>
              <td className={cn(CELL, COLUMNS.scope)}>
                <TwoLines first="w-40" second="w-32" />
              </td>
              <td className={cn(CELL, 'min-w-[140px] @4xl:w-[180px]')}>
                <Skeleton className="my-[3px] h-3.5 w-24" />
                <Skeleton className="mt-[5px] h-[5px] w-full max-w-[132px]" />
              </td>
              <td className={cn(CELL, COLUMNS.lastWeek)}>
                <div className="grid justify-items-end">
                  <TwoLines first="w-14" second="w-24" />
                </div>
              </td>
              <td className={cn(CELL, COLUMNS.lastUsed)}>
                <Skeleton className="h-3.5 w-24" />
              </td>
              <td className={cn(CELL, COLUMNS.created)}>
                <Skeleton className="h-3.5 w-24" />
              </td>
              <td className={cn(CELL, 'w-12')}>
                <Skeleton className="ml-auto size-8" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TwoLines({ first, second }: { first: string; second: string }) {
  return (
    <>
      <Skeleton className={cn('my-[3px] h-3.5', first)} />
      <Skeleton className={cn('my-1 h-3', second)} />
    </>
  );
}
