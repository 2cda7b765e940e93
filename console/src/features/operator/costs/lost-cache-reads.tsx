import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Route } from 'lucide-react';
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
import type { LostCacheReads as Row } from '../operator-types.ts';

const COLUMNS: Column<Row>[] = [
  {
    head: 'Model',
    kind: 'main',
    cell: ({ model }) => (
      <div className="truncate font-medium" title={model}>
        {model}
      </div>
    ),
  },
  { head: 'Changes of route', kind: 'number', from: 'md', cell: ({ changes }) => formatCount(changes) },
  { head: 'Tokens not read', kind: 'number', cell: ({ tokens }) => formatCount(tokens) },
  { head: 'Cost', kind: 'money', cell: ({ costNanoUsd }) => <AlignedCost nanoUsd={costNanoUsd} /> },
];

/** What it cost that sessions changed their route, by model. */
export function LostCacheReads({ period }: { period: '7d' | '30d' }) {
  const list = useQuery(
    trpc.operator.costs.lostCacheReads.queryOptions({ period }, { placeholderData: keepPreviousData }),
  );
  return (
    <section aria-labelledby="lost-cache-reads" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="lost-cache-reads" className="text-[15px] font-semibold">
          Cache reads lost to route changes
        </h2>
        <ExportMenu
          isSmall
          title="Export lost cache reads"
          getHref={(format) => exportPath('lost-cache-reads', format, { period, zone: visitorTimeZone() })}
        />
      </div>
      <p className="mt-1 mb-3 max-w-prose text-[13px] text-ink-2">
        Requests of one session take the same route, because its provider has their input in its prompt cache.
        When the route is not available, another provider reads the input at its full price.
      </p>
      <Card className="@container">
        <DataTable
          list={list}
          failure="Lost cache reads could not be loaded"
          caption="Cache reads lost to route changes by model, largest cost first"
          columns={COLUMNS}
          rows={list.data ?? []}
          rowKey={({ model }) => model}
          empty={
            <EmptyState icon={Route} title="No cache reads lost in this period">
              Models with several routes appear here when a session had to change its route.
            </EmptyState>
          }
        />
      </Card>
      <p className="mt-3 text-[13px] text-ink-2">
        An estimate: the provider before is taken to have all input of the session's last request for five
        minutes.
      </p>
    </section>
  );
}
