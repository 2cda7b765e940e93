import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Scale } from 'lucide-react';
import { exportPath, paths } from '../../../lib/paths.ts';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { describeLastDays } from '../../../lib/format/last-days.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { visitorTimeZone } from '../../../lib/format/time-zone.ts';
import { trpc } from '../../../lib/trpc.ts';
import { COST_PERIODS, PERIOD_DAYS } from '../search.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { COST_COLUMNS } from './cost-columns.tsx';
import { HealthCheckCosts } from './health-check-costs.tsx';
import { LostCacheReads } from './lost-cache-reads.tsx';

const LABELS = { '7d': 'Last 7 days', '30d': 'Last 30 days' } as const;

/** Provider costs by model and route (reported, billed and unbilled), and lost cache reads. */
export function CostsPage() {
  const { period = '7d' } = useSearch({ from: '/app/operator/costs' });
  const navigate = useNavigate({ from: paths.operatorCosts });
  const list = useQuery(
    trpc.operator.costs.list.queryOptions({ period }, { placeholderData: keepPreviousData }),
  );
  const { routes = [], more = 0 } = list.data ?? {};
  return (
    <>
      <PageHeader
        title="Provider costs"
        action={
          <ExportMenu
            getHref={(format) => exportPath('provider-costs', format, { period, zone: visitorTimeZone() })}
          />
        }
      >
        What providers report, compared with what was billed before plan multipliers.
      </PageHeader>
      <Card className="@container">
        <div className="border-b px-3 py-2.5">
          <Segmented
            label="Period"
            value={period}
            options={COST_PERIODS.map((value) => ({
              value,
              label: LABELS[value],
              hint: describeLastDays(PERIOD_DAYS[value]),
            }))}
            onValueChange={(next) =>
              void navigate({ search: { period: next === '7d' ? undefined : next }, replace: true })
            }
          />
        </div>
        <DataTable
          list={list}
          failure="Provider costs could not be loaded"
          caption="Provider costs by model and route, largest amount first"
          columns={COST_COLUMNS}
          rows={routes}
          rowKey={({ model, routeId }) => JSON.stringify([model, routeId])}
          empty={
            <EmptyState icon={Scale} title="No provider costs in this period">
              Models appear here when a provider reports a cost or a request has unbilled cost.
            </EmptyState>
          }
        />
        {more > 0 && (
          <p className="border-t px-3.5 py-2.5 text-[13px] text-ink-2">
            {formatPlural(more, 'more route')} with smaller amounts.
          </p>
        )}
      </Card>
      <p className="mt-3 text-[13px] text-ink-2">
        Drift: reported minus billed cost. If it is above 1%, check the model's rates. Requests with estimated
        usage, and plans with a multiplier of 0, are not compared.
      </p>
      <p className="mt-1 text-[13px] text-ink-2">
        Unbilled: an estimate of what providers charge you although no account was billed.
      </p>
      <HealthCheckCosts period={period} />
      <LostCacheReads period={period} />
    </>
  );
}
