import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { HeartPulse } from 'lucide-react';
import { DataTable } from '../../../components/table/data-table.tsx';
import type { Column } from '../../../components/table/column.ts';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { AlignedCost } from '../../../components/ui/rounded-cost.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { visitorTimeZone } from '../../../lib/format/time-zone.ts';
import { exportPath } from '../../../lib/paths.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { HealthCheckCosts as Row } from '../operator-types.ts';

const COLUMNS: Column<Row>[] = [
  {
    head: 'Model and route',
    kind: 'main',
    cell: ({ model, provider, routeId }) => (
      <>
        <div className="truncate font-medium" title={model}>
          {model}
        </div>
        <div className="truncate text-[12.5px] text-ink-2" title={routeId}>
          {provider} · {routeId}
        </div>
      </>
    ),
  },
  { head: 'Checks', kind: 'number', cell: ({ checks }) => formatCount(checks) },
  { head: 'Failed', kind: 'number', cell: ({ failures }) => formatCount(failures) },
  { head: 'Cost', kind: 'money', cell: ({ costNanoUsd }) => <AlignedCost nanoUsd={costNanoUsd} /> },
];

/** What health checks of routes cost. */
export function HealthCheckCosts({ period }: { period: '7d' | '30d' }) {
  const list = useQuery(
    trpc.operator.costs.healthChecks.queryOptions({ period }, { placeholderData: keepPreviousData }),
  );
  return (
    <section aria-labelledby="health-check-costs" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="health-check-costs" className="text-[15px] font-semibold">
          Health checks
        </h2>
        <ExportMenu
          isSmall
          title="Export health checks"
          getHref={(format) => exportPath('health-check-costs', format, { period, zone: visitorTimeZone() })}
        />
      </div>
      <p className="mt-1 mb-3 max-w-prose text-[13px] text-ink-2">
        Small requests that test routes, paid by no account and not included above.
      </p>
      <Card className="@container">
        <DataTable
          list={list}
          failure="Health checks could not be loaded"
          caption="Health checks by model and route, largest cost first"
          columns={COLUMNS}
          rows={list.data ?? []}
          rowKey={({ model, routeId }) => JSON.stringify([model, routeId])}
          empty={
            <EmptyState icon={HeartPulse} title="No health checks in this period">
              Turn them on for a model with "Edit routing" on its page.
            </EmptyState>
          }
        />
      </Card>
    </section>
  );
}
