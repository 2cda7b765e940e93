import type { ShownFrom } from '../../../components/table/column.ts';
import type { LogColumn } from './log-columns.ts';

/** Widths in px. The model has the rest. */
const WIDTHS: Readonly<Record<LogColumn, number>> = {
  cost: 118,
  latency: 92,
  time: 136,
  session: 150,
  cached: 92,
  endpoint: 158,
  key: 120,
  tokens: 132,
  firstByte: 96,
  client: 122,
};
const STATUS_AND_MODEL = 264;

/** The widths of tables from which a column can be shown. */
const STEPS: readonly (readonly [number, ShownFrom])[] = [
  [576, 'xl'],
  [672, '2xl'],
  [768, '3xl'],
  [896, '4xl'],
  [1024, '5xl'],
  [1080, '1080'],
  [1120, '1120'],
  [1200, '1200'],
  [1280, '1280'],
  [1400, '1400'],
  [1600, '1600'],
];

/** The most important first. A column that someone has chosen comes before the columns of the start. */
const ORDER = Object.keys(WIDTHS) as LogColumn[];

/** From which width of the table each chosen column fits next to the more important ones. The cost always does. */
export function fitColumns(shown: readonly LogColumn[]): ReadonlyMap<LogColumn, ShownFrom> {
  const fitting = new Map<LogColumn, ShownFrom>();
  let px = STATUS_AND_MODEL;
  for (const column of ORDER) {
    if (!shown.includes(column)) continue;
    px += WIDTHS[column];
    const step = STEPS.find(([width]) => width >= px)?.[1] ?? '1600';
    if (column !== 'cost') fitting.set(column, step);
  }
  return fitting;
}
