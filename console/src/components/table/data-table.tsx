import type { ReactNode } from 'react';
import { cn } from '../../lib/cn.ts';
import { Paged, type PagedList } from '../ui/paged.tsx';
import { columnClasses, FOLDED_UNTIL, getId, kindClasses, getRowHead, type Column } from './column.ts';
import { CELL, PADDING, type Density } from './density.ts';
import { moveRowFocus } from './move-row-focus.ts';
import { SkeletonRows } from './skeleton-rows.tsx';
import { TableHead, type Sort } from './table-head.tsx';
import type { VisibleRows } from './use-visible-rows.ts';

interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  caption: string;
  isCaptionShown?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row, index: number) => string;
  /** Rows below the others that are not sorted, such as a total. */
  foot?: readonly Row[];
  /** Shown instead of a table without rows. */
  empty?: ReactNode;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  density?: Density;
  /** Vertical position of the cells; `top` if they have several lines. */
  align?: 'top' | 'middle';
  /** `hidden`: only screen readers get the header. */
  header?: 'shown' | 'sticky' | 'hidden';
  /** Name of a region in which the table scrolls, with the keyboard too. Absent: the page scrolls. */
  scrollRegion?: string;
  /** The rows that are rendered, in a table with very many. Default: all. */
  visible?: VisibleRows;
  rowId?: (row: Row) => string;
  rowClassName?: (row: Row) => string | undefined;
  headClassName?: string;
  className?: string;
  /** True: the rows belong to an earlier state. */
  isStale?: boolean;
}

/** A table is either complete, or it shows how far the query of its rows is. */
type LoadProps =
  | { list?: undefined; failure?: undefined; end?: undefined }
  | {
      list: PagedList;
      /** Title of the error if the rows could not be loaded. */
      failure: string;
      /** Follows the rows. Default: a button that loads the next page. */
      end?: ReactNode;
    };

/**
 * The table of all pages. The width of the table decides which columns are shown; narrow tables fold the others into the
 * row header. Arrow keys, `j` and `k` move the focus between rows.
 */
export function DataTable<Row>({ list, failure, end, ...props }: TableProps<Row> & LoadProps) {
  const { rows, foot = [], empty = null, isStale = list?.isPlaceholderData } = props;
  const isEmpty = rows.length === 0 && foot.length === 0 && list?.hasNextPage !== true;
  const table = isEmpty ? empty : <Table {...props} isStale={isStale === true} />;
  if (list === undefined) return <div className="@container">{table}</div>;
  return (
    <div className="@container">
      <Paged list={list} title={failure} skeleton={<DataTableSkeleton {...props} />} end={end}>
        {table}
      </Paged>
    </div>
  );
}

type SkeletonProps<Row> = Pick<
  TableProps<Row>,
  'columns' | 'density' | 'header' | 'sort' | 'onSort' | 'headClassName' | 'className'
>;

/** The shape of the table while its rows load. */
export function DataTableSkeleton<Row>(props: SkeletonProps<Row>) {
  const { columns, density = 'normal', className } = props;
  return (
    <>
      <output className="sr-only">Loading</output>
      <table aria-hidden inert className={cn('w-full', className)}>
        <Head {...props} />
        <SkeletonRows columns={columns} density={density} />
      </table>
    </>
  );
}

function Table<Row>(props: TableProps<Row> & { isStale: boolean }) {
  const { caption, isCaptionShown = false, rows, visible, foot = [], scrollRegion, isStale } = props;
  const indexes = visible?.indexes ?? rows.keys();
  const table = (
    <table
      className={cn('w-full', isStale && 'opacity-60', props.className)}
      aria-rowcount={visible === undefined ? undefined : rows.length + 1}
    >
      <caption
        className={cn(isCaptionShown ? 'px-3.5 pt-3 pb-1 text-left font-semibold @max-md:px-2.5' : 'sr-only')}
      >
        <span className="sticky left-3.5">{caption}</span>
      </caption>
      <Head {...props} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its controls have the focus */}
      <tbody ref={visible?.bodyRef} onKeyDown={moveRowFocus} className="divide-y">
        {visible !== undefined && <Gap heightPx={visible.beforePx} />}
        {[...indexes].map((index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <TableRow key={props.rowKey(row, index)} {...props} row={row} index={index} />
          );
        })}
        {visible !== undefined && <Gap heightPx={visible.afterPx} />}
      </tbody>
      {foot.length > 0 && (
        <tfoot className="divide-y border-t font-medium print:table-row-group">
          {foot.map((row, index) => (
            <TableRow
              key={props.rowKey(row, index)}
              {...props}
              visible={undefined}
              row={row}
              index={0}
              isFoot
            />
          ))}
        </tfoot>
      )}
    </table>
  );
  if (scrollRegion === undefined) return table;
  return (
    <section
      aria-label={scrollRegion}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
      tabIndex={0}
      className={cn('overflow-auto rounded-xl', props.header === 'sticky' && 'max-h-[560px]')}
    >
      {table}
    </section>
  );
}

function Head<Row>(props: SkeletonProps<Row>) {
  const { columns, density = 'normal', header = 'shown', sort, onSort, headClassName } = props;
  return (
    <TableHead
      columns={columns}
      density={density}
      isSticky={header === 'sticky'}
      isHidden={header === 'hidden'}
      sort={sort}
      onSort={onSort}
      className={headClassName}
    />
  );
}

/** Takes the place of rows that are not rendered. */
function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null;
  return <tr aria-hidden style={{ height: heightPx }} />;
}

type TableRowProps<Row> = Omit<TableProps<Row>, 'visible'> & {
  visible?: VisibleRows | undefined;
  row: Row;
  index: number;
  isFoot?: boolean;
};

function TableRow<Row>(props: TableRowProps<Row>) {
  const {
    columns,
    density = 'normal',
    align = 'top',
    visible,
    row,
    index,
    rowId,
    rowClassName,
    isFoot = false,
  } = props;
  const cells = cn(PADDING[density], CELL[density], align === 'top' ? 'align-top' : 'align-middle');
  const rowHead = getRowHead(columns);
  return (
    <tr
      ref={visible?.measure}
      id={rowId?.(row)}
      data-index={visible === undefined ? undefined : index}
      aria-rowindex={visible === undefined ? undefined : index + 2}
      className={cn('scroll-mt-10', rowClassName?.(row))}
    >
      {columns.map((column) => {
        const classes = cn(cells, columnClasses(column), kindClasses(column), column.className);
        if (column !== rowHead) {
          return (
            <td key={getId(column)} className={classes}>
              {column.cell(row)}
            </td>
          );
        }
        return (
          <th
            key={getId(column)}
            scope="row"
            className={cn('text-left', isFoot ? 'font-medium' : 'font-normal', classes)}
          >
            {column.cell(row)}
            {columns.map(
              (folding) =>
                folding.from !== undefined &&
                folding.folded !== undefined && (
                  <div
                    key={getId(folding)}
                    className={cn('text-[12.5px] text-ink-2', FOLDED_UNTIL[folding.from])}
                  >
                    {folding.folded(row)}
                  </div>
                ),
            )}
          </th>
        );
      })}
    </tr>
  );
}
