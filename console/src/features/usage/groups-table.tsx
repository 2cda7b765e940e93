import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { SortableHead, type SortDirection } from '../../components/charts/sortable-head.tsx';
import { Card } from '../../components/ui/card.tsx';
import { RoundedCost } from '../../components/ui/rounded-cost.tsx';
import { formatCount } from '../../lib/format/count.ts';
import type { GroupTimes, UsageReport } from '../../lib/trpc.ts';
import { formatDurationPair } from '../../lib/format/duration.ts';
import type { UsageChoice } from './choice.ts';
import { describeRate } from './error-rate.ts';
import { nameGroup } from './group-name.ts';
import { compareGroups, GROUP_COLUMNS, type GroupColumn, type TimesById } from './group-order.ts';
import { ShareBar } from './share-bar.tsx';
import { useGroupTimes } from './use-report.ts';

const CELL = 'px-3 py-2 whitespace-nowrap';
/** Sticky while the figures scroll. */
const NAME = `${CELL} sticky left-0 bg-surface text-left`;
const NUMBER = `${CELL} text-right`;
const MONEY = `${NUMBER} font-mono text-[12.5px]`;
const HEADS: Record<GroupColumn, string> = {
  name: 'Name',
  spend: 'Spend',
  before: 'Previous period',
  requests: 'Requests',
  failed: 'Error rate',
  input: 'Input tokens',
  output: 'Output tokens',
  latency: 'Total latency (p50 / p95)',
  'first-token': 'Time to first token (p50 / p95)',
};

interface GroupsTableProps {
  accountId: string;
  choice: UsageChoice;
  report: UsageReport;
  grouping: 'model' | 'key';
}

/** Totals per model or key; a click filters by it. */
export function GroupsTable({ accountId, report, choice, grouping }: GroupsTableProps) {
  const times = useGroupTimes(accountId, choice, report).data;
  const timesById: TimesById = new Map(times?.groups.map((group) => [group.id, group]));
  const [sort, setSort] = useState<{ by: GroupColumn; direction: SortDirection }>({
    by: 'spend',
    direction: 'descending',
  });
  const sign = sort.direction === 'ascending' ? 1 : -1;
  const groups = report.groups.toSorted(
    (left, right) => sign * compareGroups(left, right, sort.by, timesById),
  );
  const what = grouping === 'model' ? 'Models' : 'Keys';
  return (
    <Card>
      <section
        aria-label={`${what} in this period`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
        tabIndex={0}
        className="overflow-x-auto rounded-xl"
      >
        <table className="w-full text-[13px]">
          <caption className="px-3 pt-3 pb-1 text-left text-sm font-medium">
            <span className="sticky left-3">{what}</span>
          </caption>
          <thead>
            <tr className="border-b">
              {GROUP_COLUMNS.map((column) => (
                <SortableHead
                  key={column}
                  label={HEADS[column]}
                  isNumber={column !== 'name'}
                  className={column === 'name' ? 'sticky left-0 bg-surface px-1.5' : 'px-1.5'}
                  direction={sort.by === column ? sort.direction : null}
                  onSort={(direction) => setSort({ by: column, direction })}
                />
              ))}
            </tr>
          </thead>
          <GroupRows
            groups={groups}
            report={report}
            grouping={grouping}
            times={times}
            timesById={timesById}
          />
        </table>
      </section>
    </Card>
  );
}

interface GroupRowsProps {
  /** Absent until they are known. */
  times: GroupTimes | undefined;
  timesById: TimesById;
  groups: UsageReport['groups'];
  report: UsageReport;
  grouping: 'model' | 'key';
}

function GroupRows({ groups, report, grouping, times, timesById }: GroupRowsProps) {
  const next = grouping === 'model' ? 'key' : undefined;
  return (
    <>
      <tbody className="divide-y">
        {groups.map((group) => (
          <tr key={group.id}>
            <th scope="row" className={`${NAME} min-w-40 font-normal`}>
              <Link
                from={paths.usage}
                to={paths.usage}
                search={(current) => ({ ...current, [grouping]: group.id, group: next })}
                className="block max-w-72 truncate rounded-sm hover:underline"
              >
                {nameGroup(report, grouping, group.id)}
              </Link>
              <ShareBar part={group.figures.costNanoUsd} whole={report.totals.costNanoUsd} />
            </th>
            <Figures
              figures={group.figures}
              before={group.previous.costNanoUsd}
              times={timesById.get(group.id)}
            />
          </tr>
        ))}
        {report.others !== null && (
          <tr>
            <th scope="row" className={`${NAME} font-normal text-ink-2`}>
              All others
            </th>
            <Figures figures={report.others} before={null} times={times?.others} />
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr className="border-t font-medium">
          <th scope="row" className={`${NAME} font-medium`}>
            Total
          </th>
          <Figures figures={report.totals} before={report.previousTotals.costNanoUsd} times={times?.total} />
        </tr>
      </tfoot>
    </>
  );
}

interface FiguresProps {
  figures: UsageReport['totals'];
  before: string | null;
  times: Pick<GroupTimes['total'], 'latency' | 'firstByte'> | undefined;
}

function Figures({ figures, before, times }: FiguresProps) {
  return (
    <>
      <td className={MONEY}>
        <RoundedCost nanoUsd={figures.costNanoUsd} />
      </td>
      <td className={`${MONEY} text-ink-2`}>{before === null ? '–' : <RoundedCost nanoUsd={before} />}</td>
      <td className={NUMBER}>{formatCount(figures.requests)}</td>
      <td className={NUMBER}>{describeRate(figures)}</td>
      <td className={NUMBER}>{formatCount(figures.inputTokens)}</td>
      <td className={NUMBER}>{formatCount(figures.outputTokens)}</td>
      <td className={NUMBER}>{times && describeQuantiles(times.latency)}</td>
      <td className={NUMBER}>{times && describeQuantiles(times.firstByte)}</td>
    </>
  );
}

function describeQuantiles({ p50Ms, p95Ms }: GroupTimes['total']['latency']): string {
  if (p50Ms === null || p95Ms === null) return '–';
  return formatDurationPair(p50Ms, p95Ms).join(' / ');
}
