import type { ReactNode } from 'react';
import { cn } from '../../lib/cn.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { COLUMNS } from './columns.ts';
import { KeyTableRow } from './key-table-row.tsx';

const CLOCK_MS = 5_000;

interface KeysTableProps {
  keys: KeyRow[];
  /** True while rows of the former search are still shown. */
  isStale: boolean;
  canEdit: boolean;
  onDetails: (key: KeyRow) => void;
  onRevoke: (key: KeyRow) => void;
  empty: ReactNode;
}

export function KeysTable({ keys, isStale, canEdit, onDetails, onRevoke, empty }: KeysTableProps) {
  const nowMs = useNow(CLOCK_MS);
  if (keys.length === 0) return empty;
  return (
    <table className={cn('w-full', isStale && 'opacity-60')}>
      <caption className="sr-only">API keys of this account</caption>
      <KeysTableHead />
      <tbody className="divide-y">
        {uniqueById(keys).map((key) => (
          <KeyTableRow
            key={key.id}
            row={key}
            nowMs={nowMs}
            canEdit={canEdit}
            onDetails={() => onDetails(key)}
            onRevoke={() => onRevoke(key)}
          />
        ))}
      </tbody>
    </table>
  );
}

export function KeysTableHead() {
  const head = 'px-3.5 py-[9px] text-left text-xs font-medium text-ink-3 @max-md:px-2.5';
  return (
    <thead>
      <tr className="border-b">
        <th scope="col" className={head}>
          Name
        </th>
        <th scope="col" className={cn(head, COLUMNS.scope)}>
          Scope
        </th>
        <th scope="col" className={head}>
          Budget
        </th>
        <th scope="col" className={cn(head, COLUMNS.lastWeek, 'text-right')}>
          Last 7 days
        </th>
        <th scope="col" className={cn(head, COLUMNS.lastUsed)}>
          Last used
        </th>
        <th scope="col" className={cn(head, 'w-12')}>
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

/** A key that moved over the edge of a page between two loads would be there twice. */
function uniqueById(keys: KeyRow[]): KeyRow[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}
