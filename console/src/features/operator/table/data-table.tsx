import type { ReactNode } from 'react';
import { cn } from '../../../lib/cn.ts';
import { CELL, HEAD } from '../../../components/ui/cells.ts';

/** Minimum card width of a column. Narrow cards hide it or fold it into the first cell. */
const FROM = {
  always: '',
  medium: 'hidden @xl:table-cell',
  wide: 'hidden @3xl:table-cell',
} as const;

export interface Column<Row> {
  /** Column header; visually hidden if `isHeadHidden`. */
  head: string;
  cell: (row: Row) => ReactNode;
  from?: keyof typeof FROM;
  /** Right-aligned, for numbers and actions. */
  isRight?: boolean;
  isHeadHidden?: boolean;
  className?: string;
}

interface DataTableProps<Row> {
  caption: string;
  /** The first column is the row header. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  isStale?: boolean;
}

/** Table of an operator list. Its card is the `@container` of the column widths. */
export function DataTable<Row>({ caption, columns, rows, rowKey, isStale }: DataTableProps<Row>) {
  return (
    <table className={cn('w-full', isStale === true && 'opacity-60')}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b">
          {columns.map((column) => (
            <th key={column.head} scope="col" className={cn(HEAD, classesOf(column))}>
              {column.isHeadHidden === true ? <span className="sr-only">{column.head}</span> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column, index) =>
              index === 0 ? (
                <th
                  key={column.head}
                  scope="row"
                  className={cn(CELL, 'text-left font-normal', classesOf(column), column.className)}
                >
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.head} className={cn(CELL, classesOf(column), column.className)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classesOf<Row>({ from = 'always', isRight = false }: Column<Row>): string {
  return cn(FROM[from], isRight && 'text-right');
}
