import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DataTable } from '../../components/table/data-table.tsx';
import type { PagedList } from '../../components/ui/paged.tsx';
import type { CatalogueModel } from '../../lib/trpc.ts';
import { COLUMNS } from './columns.tsx';
import { MODEL_SORTS, type ModelsSearch } from './search.ts';

interface ModelsTableProps {
  list: PagedList;
  models: CatalogueModel[];
  search: ModelsSearch;
  empty: ReactNode;
}

export function ModelsTable({ list, models, search, empty }: ModelsTableProps) {
  const navigate = useNavigate({ from: '/models' });
  return (
    <DataTable
      list={list}
      failure="The models could not be loaded"
      caption="Models, with prices in USD per million tokens"
      columns={COLUMNS}
      rows={models}
      rowKey={({ id }) => id}
      sort={{ by: search.sort ?? 'id', direction: search.down === true ? 'descending' : 'ascending' }}
      onSort={({ by, direction }) => {
        const sort = MODEL_SORTS.find((known) => known === by);
        void navigate({
          search: (current) => ({
            ...current,
            sort: sort === 'id' ? undefined : sort,
            down: direction === 'descending' ? true : undefined,
          }),
          replace: true,
        });
      }}
      empty={empty}
    />
  );
}
