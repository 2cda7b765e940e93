import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import type { Sort } from '../../components/table/table-head.tsx';
import { Card } from '../../components/ui/card.tsx';
import { AlignedCost } from '../../components/ui/rounded-cost.tsx';
import { formatCount } from '../../lib/format/count.ts';
import { formatDurationPair } from '../../lib/format/duration.ts';
import { paths } from '../../lib/paths.ts';
import type { GroupTimes, UsageReport } from '../../lib/trpc.ts';
import type { UsageChoice } from './choice.ts';
import { describeRate } from './error-rate.ts';
import { nameGroup } from './group-name.ts';
import { compareGroups, GROUP_COLUMNS, type GroupColumn, type TimesById } from './group-order.ts';
import { ShareBar } from './share-bar.tsx';
import { useGroupTimes } from './use-report.ts';

type Times = Pick<GroupTimes['total'], 'latency' | 'firstByte'>;

interface GroupsTableProps {
  accountId: string;
  choice: UsageChoice;
  report: UsageReport;
  grouping: 'model' | 'key' | 'tag';
}

/** A group, all other groups, or the total. */
interface Row {
  id: string;
  name: ReactNode;
  figures: UsageReport['totals'];
  /** Spend of the previous period; null if unknown. */
  before: string | null;
  /** Absent until they are loaded. */
  times: Times | undefined;
}

const TITLES = { model: 'Models', key: 'Keys', tag: 'Tags' } as const;

/** Totals per model, key or tag; a click filters by it. */
export function GroupsTable({ accountId, report, choice, grouping }: GroupsTableProps) {
  const times = useGroupTimes(accountId, choice, report).data;
  const timesById: TimesById = new Map(times?.groups.map((group) => [group.id, group]));
  const [sort, setSort] = useState<{ by: GroupColumn; direction: Sort['direction'] }>({
    by: 'spend',
    direction: 'descending',
  });
  const sign = sort.direction === 'ascending' ? 1 : -1;
  const groups = report.groups.toSorted(
    (left, right) => sign * compareGroups(left, right, sort.by, timesById),
  );
  const rows: Row[] = groups.map((group) => ({
    id: group.id,
    name: <GroupName report={report} group={group} grouping={grouping} />,
    figures: group.figures,
    before: group.previous.costNanoUsd,
    times: timesById.get(group.id),
  }));
  if (report.others !== null)
    rows.push({
      id: 'others',
      name: <span className="text-ink-2">All others</span>,
      figures: report.others,
      before: null,
      times: times?.others,
    });
  const what = TITLES[grouping];
  const total: Row = {
    id: 'total',
    name: grouping === 'tag' ? 'All keys' : 'Total',
    figures: report.totals,
    before: report.previousTotals.costNanoUsd,
    times: times?.total,
  };
  return (
    <Card>
      <DataTable
        caption={what}
        isCaptionShown
        density="dense"
        align="middle"
        scrollRegion={`${what} in this period`}
        columns={COLUMNS}
        rows={rows}
        foot={[total]}
        rowKey={({ id }) => id}
        sort={sort}
        onSort={({ by, direction }) => {
          const column = GROUP_COLUMNS.find((known) => known === by);
          if (column !== undefined) setSort({ by: column, direction });
        }}
      />
      {grouping === 'tag' && (
        <p className="border-t px-3.5 py-2.5 text-[13px] text-ink-2">
          By the tags that keys have now. A key with several tags counts in each of them.
        </p>
      )}
    </Card>
  );
}

const COLUMNS: (Column<Row> & { id: GroupColumn })[] = [
  {
    id: 'name',
    head: 'Name',
    isPinned: true,
    // It gets narrower before another column is cut off.
    width: 'w-full max-w-0 min-w-32',
    firstSort: 'ascending',
    className: 'whitespace-nowrap',
    cell: ({ name }) => name,
  },
  {
    id: 'spend',
    head: 'Spend',
    kind: 'money',
    firstSort: 'descending',
    cell: ({ figures }) => <AlignedCost nanoUsd={figures.costNanoUsd} />,
  },
  {
    id: 'before',
    head: 'Previous period',
    headContent: <TwoLines first="Previous" second="period" />,
    kind: 'money',
    firstSort: 'descending',
    className: 'text-ink-2',
    cell: ({ before }) => (before === null ? '–' : <AlignedCost nanoUsd={before} />),
  },
  {
    id: 'requests',
    head: 'Requests',
    kind: 'number',
    firstSort: 'descending',
    cell: ({ figures }) => formatCount(figures.requests),
  },
  {
    id: 'failed',
    head: 'Error rate',
    kind: 'number',
    firstSort: 'descending',
    cell: ({ figures }) => describeRate(figures),
  },
  {
    id: 'input',
    head: 'Input tokens',
    headContent: <TwoLines first="Input" second="tokens" />,
    kind: 'number',
    firstSort: 'descending',
    cell: ({ figures }) => formatCount(figures.inputTokens),
  },
  {
    id: 'output',
    head: 'Output tokens',
    headContent: <TwoLines first="Output" second="tokens" />,
    kind: 'number',
    firstSort: 'descending',
    cell: ({ figures }) => formatCount(figures.outputTokens),
  },
  {
    id: 'latency',
    head: 'Total latency (p50 / p95)',
    headContent: <TwoLines first="Total latency" second="p50 / p95" />,
    kind: 'number',
    firstSort: 'descending',
    cell: ({ times }) => times && describeQuantiles(times.latency),
  },
  {
    id: 'first-token',
    head: 'Time to first token (p50 / p95)',
    headContent: <TwoLines first="Time to first token" second="p50 / p95" />,
    kind: 'number',
    firstSort: 'descending',
    cell: ({ times }) => times && describeQuantiles(times.firstByte),
  },
];

/** A header in two lines, so that the table needs less width. */
function TwoLines({ first, second }: { first: string; second: string }) {
  return (
    <span className="inline-block text-right">
      {first}
      <br />
      {second}
    </span>
  );
}

interface GroupNameProps extends Pick<GroupsTableProps, 'report' | 'grouping'> {
  group: UsageReport['groups'][number];
}

function GroupName({ report, group, grouping }: GroupNameProps) {
  const name = nameGroup(report, grouping, group.id);
  return (
    <div className="max-w-72">
      <Link
        from={paths.usage}
        to={paths.usage}
        search={(current) => ({
          ...current,
          [grouping]: group.id,
          group: grouping === 'key' ? undefined : 'key',
        })}
        className="block truncate rounded-sm hover:underline"
        title={name}
      >
        {name}
      </Link>
      <ShareBar part={group.figures.costNanoUsd} whole={report.totals.costNanoUsd} />
    </div>
  );
}

function describeQuantiles({ p50Ms, p95Ms }: GroupTimes['total']['latency']): string {
  if (p50Ms === null || p95Ms === null) return '–';
  return formatDurationPair(p50Ms, p95Ms).join(' / ');
}
