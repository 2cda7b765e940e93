import type { ReactNode } from 'react';
import { RowCheckbox } from '../../components/ui/row-checkbox.tsx';
import { cn } from '../../lib/cn.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { BOX_CELL, COLUMNS } from './columns.ts';
import { KeyTableRow, type KeyActions } from './key-table-row.tsx';
import { useSetKeysSearch } from './keys-filters.tsx';
import type { KeySort, KeysSearch } from './search.ts';
import { SortHead } from './sort-head.tsx';
import type { Selection } from './use-selection.ts';

const CLOCK_MS = 5_000;
const HEAD = 'px-3.5 py-[9px] text-left text-xs font-medium text-ink-3 @max-md:px-2.5';

interface KeysTableProps {
  keys: KeyRow[];
  /** True while rows of the previous search are shown. */
  isStale: boolean;
  search: KeysSearch;
  /** null if the user can't make changes. */
  actions: KeyActions | null;
  /** null if the list has no bulk actions. */
  selection: Selection | null;
  empty: ReactNode;
}

export function KeysTable({ keys, isStale, search, actions, selection, empty }: KeysTableProps) {
  const nowMs = useNow(CLOCK_MS);
  if (keys.length === 0) return empty;
  return (
    <table className={cn('w-full', isStale && 'opacity-60')}>
      <caption className="sr-only">API keys of this account</caption>
      <KeysTableHead search={search} selection={selection} />
      <tbody className="divide-y">
        {keys.map((key) => (
          <KeyTableRow key={key.id} row={key} nowMs={nowMs} actions={actions} selection={selection} />
        ))}
      </tbody>
    </table>
  );
}

export function KeysTableHead({ search, selection }: Pick<KeysTableProps, 'search' | 'selection'>) {
  const setSearch = useSetKeysSearch();
  const { sort = 'created', order = 'desc' } = search;
  const head = (by: KeySort, label: string, className?: string) => (
    <SortHead
      label={label}
      className={cn(HEAD, className)}
      isFirstDescending={by !== 'name'}
      direction={sort !== by ? null : order === 'asc' ? 'ascending' : 'descending'}
      onSort={(direction) =>
        setSearch({
          sort: by === 'created' ? undefined : by,
          order: direction === 'ascending' ? 'asc' : undefined,
        })
      }
    />
  );
  return (
    <thead>
      <tr className="border-b">
        {selection !== null && (
          <td className={cn(BOX_CELL, 'py-0')}>
            <RowCheckbox
              label="Select all keys shown"
              checked={selection.state === 'some' ? 'indeterminate' : selection.state === 'all'}
              onToggle={selection.toggleAll}
            />
          </td>
        )}
        {head('name', 'Name')}
        <th scope="col" className={cn(HEAD, COLUMNS.scope)}>
          Scope
        </th>
        {head('spent', 'Spend')}
        <th scope="col" className={cn(HEAD, COLUMNS.lastWeek, 'text-right')}>
          Last 7 days
        </th>
        {head('used', 'Last used', COLUMNS.lastUsed)}
        {head('created', 'Created', COLUMNS.created)}
        <th scope="col" className={cn(HEAD, 'w-12')}>
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}
