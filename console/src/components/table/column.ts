import type { ReactNode } from 'react';

export type SortDirection = 'ascending' | 'descending';

/** Width of the table from which a column is shown. */
export type ShownFrom = keyof typeof SHOWN_FROM;

const SHOWN_FROM = {
  md: 'hidden @md:table-cell',
  lg: 'hidden @lg:table-cell',
  xl: 'hidden @xl:table-cell',
  '2xl': 'hidden @2xl:table-cell',
  '3xl': 'hidden @3xl:table-cell',
  '4xl': 'hidden @4xl:table-cell',
  '5xl': 'hidden @5xl:table-cell',
  '1080': 'hidden @[1080px]:table-cell',
  '1120': 'hidden @[1120px]:table-cell',
  '1200': 'hidden @[1200px]:table-cell',
  '1280': 'hidden @[1280px]:table-cell',
  '1400': 'hidden @[1400px]:table-cell',
  '1600': 'hidden @[1600px]:table-cell',
} as const;

/** The opposite of `SHOWN_FROM`. */
export const FOLDED_UNTIL: Record<ShownFrom, string> = {
  md: '@md:hidden',
  lg: '@lg:hidden',
  xl: '@xl:hidden',
  '2xl': '@2xl:hidden',
  '3xl': '@3xl:hidden',
  '4xl': '@4xl:hidden',
  '5xl': '@5xl:hidden',
  '1080': '@[1080px]:hidden',
  '1120': '@[1120px]:hidden',
  '1200': '@[1200px]:hidden',
  '1280': '@[1280px]:hidden',
  '1400': '@[1400px]:hidden',
  '1600': '@[1600px]:hidden',
};

/** Style of the cells of a column. */
const KINDS = {
  text: '',
  /** Takes the remaining width and truncates its content. */
  main: 'w-full max-w-0 min-w-32',
  number: 'text-right whitespace-nowrap tabular-nums',
  money: 'text-right font-mono text-[12.5px] whitespace-nowrap tabular-nums',
  code: 'font-mono text-[12.5px]',
  time: 'text-[12.5px] whitespace-nowrap text-ink-2',
  actions: 'text-right whitespace-nowrap @max-md:pl-0',
} as const;

const RIGHT: ReadonlySet<keyof typeof KINDS> = new Set(['number', 'money', 'actions']);

export interface Column<Row> {
  /** Also identifies the column, unless it has an `id`. */
  head: string;
  id?: string;
  /** Replaces the text of the header. */
  headContent?: ReactNode;
  /** True: only screen readers get the text of the header. */
  isHeadHidden?: boolean;
  cell: (row: Row) => ReactNode;
  kind?: keyof typeof KINDS;
  from?: ShownFrom;
  /** Shown below the row header while the table is too narrow for the column. */
  folded?: (row: Row) => ReactNode;
  /** Row header. Default: the first column. */
  isRowHead?: boolean;
  /** True: stays visible while the table scrolls sideways. */
  isPinned?: boolean;
  /** Direction of the first click on the header. Absent: the table cannot be sorted by this column. */
  firstSort?: SortDirection;
  /** Classes of the width, for header and cells. */
  width?: string;
  /** Classes of the cells. */
  className?: string;
}

export function getId<Row>({ id, head }: Column<Row>): string {
  return id ?? head;
}

export function isRight<Row>({ kind = 'text' }: Column<Row>): boolean {
  return RIGHT.has(kind);
}

/** Classes for header and cells. */
export function columnClasses<Row>({ from, width, isPinned = false }: Column<Row>): string {
  return [
    from === undefined ? '' : SHOWN_FROM[from],
    width ?? '',
    isPinned ? 'sticky left-0 bg-surface' : '',
  ].join(' ');
}

export function kindClasses<Row>({ kind = 'text' }: Column<Row>): string {
  return KINDS[kind];
}

/** @returns the column whose cells are row headers */
export function getRowHead<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  return columns.find((column) => column.isRowHead === true) ?? columns[0];
}
