import { ColumnsMenu } from './columns/columns-menu.tsx';
import type { ChosenColumns, LogColumn } from './columns/log-columns.ts';
import type { RequestsSearch } from './search.ts';
import { ViewsMenu } from './views/views-menu.tsx';

export interface LogMenusProps {
  search: RequestsSearch;
  columns: { chosen: ChosenColumns; choose: (shown: readonly LogColumn[] | null) => void };
}

/** @param props.opened the menu that is open at first */
export function LoadedMenus({ search, columns, opened }: LogMenusProps & { opened: string }) {
  return (
    <>
      <ViewsMenu search={search} isOpenAtFirst={opened === 'views'} />
      <ColumnsMenu chosen={columns.chosen} onChoose={columns.choose} isOpenAtFirst={opened === 'columns'} />
    </>
  );
}
