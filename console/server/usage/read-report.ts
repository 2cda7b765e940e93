import type { Database } from '@tollgate/db/client';
import {
  addFigures,
  NO_FIGURES,
  subtractFigures,
  type UsageFigures,
  type UsageRange,
} from '@tollgate/db/queries/usage/report/filter';
import type { UsageGroupBy } from '@tollgate/db/queries/usage/report/grouped-source';
import { listUsageGroups, nameKeys, type UsageOrder } from '@tollgate/db/queries/usage/report/groups';
import {
  findUsagePeriods,
  findTimeZone,
  type UsagePeriod,
  type UsagePeriods,
} from '@tollgate/db/queries/usage/report/periods';
import { readUsageSeries, type UsageCell } from '@tollgate/db/queries/usage/report/series';
import { readUsageTimes, type TimeCell, type UsageTime } from '@tollgate/db/queries/usage/report/times';
import { readTimes, type Times } from './read-times.ts';
import type { UsageQuery } from './usage-query.ts';

/** As many groups as a chart has colours for; the others are one more. */
const CHARTED_GROUPS = 5;
const LISTED_GROUPS = 100;

export type UsageGrouping = UsageGroupBy | 'status';

export interface ReportQuery extends UsageQuery {
  accountId: string;
  groupBy: UsageGrouping;
  /** Which groups are the largest. */
  order: UsageOrder;
  /** Which times are read. */
  times: UsageTime[];
  nowMs: number;
}

/** One number for each bucket of a period. */
export interface UsagePoints {
  costNanoUsd: bigint[];
  requests: number[];
  errors: number[];
  inputTokens: number[];
  outputTokens: number[];
}

export interface Series {
  /** The model ('' if unknown), the key's id, the tag ('': none), `succeeded`, `failed` or `left`; null: all others. */
  id: string | null;
  points: UsagePoints;
}

export interface Report {
  /** The reader's time zone, or UTC if the database does not know it. */
  timeZone: string;
  periods: UsagePeriods;
  series: Series[];
  previous: UsagePoints;
  totals: UsageFigures;
  previousTotals: UsageFigures;
  /** The largest, the largest first; empty if the grouping is by status. */
  groups: { id: string; name: string | null; figures: UsageFigures; previous: UsageFigures }[];
  /** What the listed groups leave; null: nothing, or groups of tags, which may overlap. */
  others: UsageFigures | null;
  /** The key of the filter; null: not a key of the account, or no filter. */
  keyName: string | null;
  /** null: not requested. */
  times: Record<UsageTime, Times | null>;
}

/** Reads a report of an account's usage and of the previous period, only from hourly sums. */
export async function readReport(db: Database, query: ReportQuery): Promise<Report> {
  const { accountId, keyId, model, tag, groupBy, order, bucket } = query;
  const timeZone = await findTimeZone(db, query.timeZone);
  const periods = await findUsagePeriods(db, { ...query, timeZone });
  const within = ({ from, to }: UsagePeriod): UsageRange => ({
    accountId,
    from,
    to,
    keyId,
    model,
    tag,
  });
  const [range, previousRange] = [within(periods.current), within(periods.previous)];
  const by = groupBy === 'status' ? null : groupBy;
  const ranked = by === null ? [] : await listUsageGroups(db, { range, by, order, limit: LISTED_GROUPS });
  const ids = ranked.map(({ id }) => id);
  const charted = ids.slice(0, CHARTED_GROUPS);
  const shape = { bucket, timeZone };
  const getTimes = (of: UsageTime) =>
    query.times.includes(of) ? readTimes(db, of, { ...shape, range, previousRange, periods }) : null;
  const charts = by === null ? null : { by, ids: charted };
  const [cells, charting, previousCells, previousGroups, keys, latency, firstByte, answered] =
    await Promise.all([
      readUsageSeries(db, { ...shape, range, groups: by === 'tag' ? null : charts }),
      by === 'tag' ? readUsageSeries(db, { ...shape, range, groups: charts }) : null,
      readUsageSeries(db, { ...shape, range: previousRange, groups: null }),
      by === null ? [] : listUsageGroups(db, { range: previousRange, by, order, limit: LISTED_GROUPS, ids }),
      nameKeys(db, { accountId, ids: getKeyIds(query, ids), nowMs: query.nowMs }),
      getTimes('latency'),
      getTimes('firstByte'),
      by === null ? readUsageTimes(db, { ...shape, range, of: 'latency' }) : [],
    ]);
  const totals = sumFigures(cells);
  const before = new Map(previousGroups.map((group) => [group.id, group]));
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return {
    timeZone,
    periods,
    series:
      by === null
        ? splitByStatus(cells, answered, periods.current)
        : toSeries(charting ?? cells, charted, periods.current),
    previous: toPoints(previousCells, periods.previous),
    totals,
    previousTotals: sumFigures(previousCells),
    groups: ranked.map((figures) => ({
      id: figures.id,
      name: by === 'key' ? (names.get(figures.id) ?? null) : figures.id,
      figures,
      previous: before.get(figures.id) ?? NO_FIGURES,
    })),
    others: by === null || by === 'tag' ? null : subtractFigures(totals, sumFigures(ranked)),
    keyName: keyId === undefined ? null : (names.get(keyId) ?? null),
    times: { latency, firstByte },
  };
}

/** The keys that the report has to name. */
function getKeyIds({ groupBy, keyId }: ReportQuery, groupIds: string[]): string[] {
  const ids = groupBy === 'key' ? groupIds : [];
  return keyId === undefined ? ids : [...ids, keyId];
}

function toSeries(cells: UsageCell[], charted: string[], period: UsagePeriod): Series[] {
  const ids = cells.some(({ group }) => group === null) ? [...charted, null] : charted;
  return ids.map((id) => ({
    id,
    points: toPoints(
      cells.filter(({ group }) => group === id),
      period,
    ),
  }));
}

/**
 * Requests that succeeded, failed, or whose caller disconnected before the end; cost and tokens are not split.
 * Latency is counted for every complete response: requests that neither have one nor failed count as disconnected.
 */
function splitByStatus(cells: UsageCell[], answered: TimeCell[], period: UsagePeriod): Series[] {
  const answers = new Map(
    answered.map(({ startMs, counts }) => [startMs, counts.reduce((sum, count) => sum + count, 0)]),
  );
  const succeeded = ({ startMs }: UsageCell) => answers.get(startMs) ?? 0;
  const count = (of: (cell: UsageCell) => number) =>
    toPoints(
      cells.map((cell) => ({ ...NO_FIGURES, startMs: cell.startMs, group: null, requests: of(cell) })),
      period,
    );
  return [
    { id: 'succeeded', points: count(succeeded) },
    { id: 'failed', points: count(({ errors }) => errors) },
    // The two are read one after the other: a request may have ended between them.
    { id: 'left', points: count((cell) => Math.max(0, cell.requests - cell.errors - succeeded(cell))) },
  ];
}

/** Puts cells into their buckets; missing buckets are zero. */
function toPoints(cells: UsageCell[], { starts }: UsagePeriod): UsagePoints {
  const byStart = new Map(cells.map((cell) => [cell.startMs, cell]));
  const ordered = starts.map((start): UsageFigures => byStart.get(start.getTime()) ?? NO_FIGURES);
  return {
    costNanoUsd: ordered.map((cell) => cell.costNanoUsd),
    requests: ordered.map((cell) => cell.requests),
    errors: ordered.map((cell) => cell.errors),
    inputTokens: ordered.map((cell) => cell.inputTokens),
    outputTokens: ordered.map((cell) => cell.outputTokens),
  };
}

function sumFigures(all: UsageFigures[]): UsageFigures {
  return all.reduce(addFigures, NO_FIGURES);
}
