import type { ReactNode } from 'react';
import { DataTable } from '../../components/table/data-table.tsx';
import type { PagedList } from '../../components/ui/paged.tsx';
import type { KeyRow } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { keyColumns, type KeyActions } from './columns.tsx';
import { useSetKeysSearch } from './keys-filters.tsx';
import { KEY_SORTS, type KeysSearch } from './search.ts';
import type { Selection } from './use-selection.ts';

const CLOCK_MS = 5_000;

interface KeysTableProps {
  list: PagedList;
  keys: KeyRow[];
  search: KeysSearch;
  /** null if the user can't make changes. */
  actions: KeyActions | null;
  /** null if the list has no bulk actions. */
  selection: Selection | null;
  empty: ReactNode;
}

export function KeysTable({ list, keys, search, actions, selection, empty }: KeysTableProps) {
  const nowMs = useNow(CLOCK_MS);
  const setSearch = useSetKeysSearch();
  const { sort = 'created', order = 'desc' } = search;
  return (
    <DataTable
      list={list}
      failure="The keys could not be loaded"
      caption="API keys of this account"
      columns={keyColumns({ nowMs, actions, selection })}
      rows={keys}
      rowKey={({ id }) => id}
      align="middle"
      sort={{ by: sort, direction: order === 'asc' ? 'ascending' : 'descending' }}
      onSort={({ by, direction }) => {
        const next = KEY_SORTS.find((known) => known === by);
        setSearch({
          sort: next === 'created' ? undefined : next,
          order: direction === 'ascending' ? 'asc' : undefined,
        });
      }}
      rowClassName={({ id }) =>
        selection?.has(id) === true
          ? 'bg-accent-soft last:*:first:rounded-bl-[11px] last:*:last:rounded-br-[11px]'
          : undefined
      }
      empty={empty}
    />
  );
}
