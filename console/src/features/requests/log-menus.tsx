import { ColumnsMenu } from './columns/columns-menu.tsx';
import type { ChosenColumns, LogColumn } from './columns/log-columns.ts';
import type { RequestsSearch } from './search.ts';
import { ViewsMenu } from './views/views-menu.tsx';

interface LogMenusProps {
  search: RequestsSearch;
  columns: { chosen: ChosenColumns; choose: (shown: readonly LogColumn[] | null) => void };
}

/** The menus of the log, which are loaded after it. */
export function LogMenus({ search, columns }: LogMenusProps) {
  return (
    <>
      <ViewsMenu search={search} />
      <ColumnsMenu chosen={columns.chosen} onChoose={columns.choose} />
    </>
  );
}
