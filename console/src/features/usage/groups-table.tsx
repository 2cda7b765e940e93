import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { SortableHead, type SortDirection } from '../../components/charts/sortable-head.tsx';
import { Card } from '../../components/ui/card.tsx';
import { formatCount } from '../../lib/format/count.ts';
import { formatCost } from '../../lib/format/money.ts';
import type { UsageReport } from '../../lib/trpc.ts';
import { describeRate } from './error-rate.ts';
import { nameGroup } from './group-name.ts';
import { compareGroups, GROUP_COLUMNS, type GroupColumn } from './group-order.ts';
import { ShareBar } from './share-bar.tsx';

const CELL = 'px-3.5 py-2 whitespace-nowrap';
const NUMBER = `${CELL} text-right`;
const MONEY = `${NUMBER} font-mono text-[12.5px]`;
const HEADS: Record<GroupColumn, string> = {
  name: 'Name',
  spend: 'Spend',
  before: 'Period before',
  requests: 'Requests',
  failed: 'Failed',
  input: 'Input tokens',
  output: 'Output tokens',
};

interface GroupsTableProps {
  report: UsageReport;
  grouping: 'model' | 'key';
}

/** Every model or key of the period with its sums; a click shows it alone. */
export function GroupsTable({ report, grouping }: GroupsTableProps) {
  const [sort, setSort] = useState<{ by: GroupColumn; direction: SortDirection }>({
    by: 'spend',
    direction: 'descending',
  });
  const sign = sort.direction === 'ascending' ? 1 : -1;
  const groups = report.groups.toSorted((left, right) => sign * compareGroups(left, right, sort.by));
  const what = grouping === 'model' ? 'Models' : 'Keys';
  return (
    <Card>
      <section
        aria-label={`${what} of the period`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
        tabIndex={0}
        className="overflow-x-auto rounded-xl"
      >
        <table className="w-full text-[13px]">
          <caption className="px-3.5 pt-3 pb-1 text-left text-sm font-medium">{what}</caption>
          <thead>
            <tr className="border-b">
              {GROUP_COLUMNS.map((column) => (
                <SortableHead
                  key={column}
                  label={HEADS[column]}
                  isNumber={column !== 'name'}
                  direction={sort.by === column ? sort.direction : null}
                  onSort={(direction) => setSort({ by: column, direction })}
                />
              ))}
            </tr>
          </thead>
          <GroupRows groups={groups} report={report} grouping={grouping} />
        </table>
      </section>
    </Card>
  );
}

interface GroupRowsProps {
  groups: UsageReport['groups'];
  report: UsageReport;
  grouping: 'model' | 'key';
}

function GroupRows({ groups, report, grouping }: GroupRowsProps) {
  const next = grouping === 'model' ? 'key' : undefined;
  return (
    <>
      <tbody className="divide-y">
        {groups.map((group) => (
          <tr key={group.id}>
            <th scope="row" className={`${CELL} min-w-44 text-left font-normal`}>
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
            <Figures figures={group.figures} before={group.previous.costNanoUsd} />
          </tr>
        ))}
        {report.others !== null && (
          <tr>
            <th scope="row" className={`${CELL} text-left font-normal text-ink-2`}>
              All others
            </th>
            <Figures figures={report.others} before={null} />
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr className="border-t font-medium">
          <th scope="row" className={`${CELL} text-left font-medium`}>
            Total
          </th>
          <Figures figures={report.totals} before={report.previousTotals.costNanoUsd} />
        </tr>
      </tfoot>
    </>
  );
}

function Figures({ figures, before }: { figures: UsageReport['totals']; before: string | null }) {
  return (
    <>
      <td className={MONEY}>{formatCost(figures.costNanoUsd)}</td>
      <td className={`${MONEY} text-ink-2`}>{before === null ? '–' : formatCost(before)}</td>
      <td className={NUMBER}>{formatCount(figures.requests)}</td>
      <td className={NUMBER}>{describeRate(figures)}</td>
      <td className={NUMBER}>{formatCount(figures.inputTokens)}</td>
      <td className={NUMBER}>{formatCount(figures.outputTokens)}</td>
    </>
  );
}
