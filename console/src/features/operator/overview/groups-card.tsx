import { isDrifting } from '@tollgate/core/money/cost-drift';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { AlignedCost, RoundedChange, RoundedCost } from '../../../components/ui/rounded-cost.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { visitorTimeZone } from '../../../lib/format/time-zone.ts';
import { exportPath, paths } from '../../../lib/paths.ts';
import { describeRate } from '../../usage/error-rate.ts';
import { Quantiles } from '../../usage/quantiles.tsx';
import { formatDrift } from '../costs/format-drift.ts';
import type { OperatorOverview } from '../operator-types.ts';
import type { OperatorPeriod } from '../search.ts';
import { computeMargin, formatMargin } from './compute-margin.ts';

type Group = OperatorOverview['providers'][number];

interface GroupsCardProps {
  period: OperatorPeriod;
  overview: OperatorOverview;
  by: 'provider' | 'model';
}

/** Requests, money and latency of each provider or model. */
export function GroupsCard({ overview, by, period }: GroupsCardProps) {
  const navigate = useNavigate({ from: paths.operatorOverview });
  const title = by === 'provider' ? 'Providers' : 'Models';
  return (
    <Card className="@container">
      <section aria-label={title}>
        <div className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2.5">
          <h2 className="mr-auto font-medium">{title}</h2>
          <Segmented
            label="Group by"
            value={by}
            options={[
              { value: 'provider', label: 'By provider' },
              { value: 'model', label: 'By model' },
            ]}
            onValueChange={(next) =>
              void navigate({
                search: (current) => ({ ...current, by: next === 'model' ? next : undefined }),
                replace: true,
                resetScroll: false,
              })
            }
          />
          <ExportMenu
            isSmall
            title="Export by provider and model"
            getHref={(format) => exportPath('provider-figures', format, { period, zone: visitorTimeZone() })}
          />
        </div>
        <DataTable
          caption={`${title}, by number of requests`}
          columns={columns(by)}
          rows={by === 'provider' ? overview.providers : overview.models}
          rowKey={({ name }) => name}
          align="middle"
          empty={
            <EmptyState icon={ChartColumn} title="No requests in this period">
              {title} appear here some seconds after their first request.
            </EmptyState>
          }
        />
      </section>
    </Card>
  );
}

function columns(by: GroupsCardProps['by']): Column<Group>[] {
  return [
    {
      head: by === 'provider' ? 'Provider' : 'Model',
      kind: 'main',
      cell: (group) => (
        <>
          <GroupName group={group} by={by} />
          <div className="text-[12.5px] text-ink-2 @2xl:hidden">
            <RoundedCost nanoUsd={group.revenueNanoUsd} /> revenue,{' '}
            <RoundedCost nanoUsd={group.providerCostNanoUsd} /> cost
          </div>
        </>
      ),
    },
    { head: 'Requests', kind: 'number', cell: ({ requests }) => formatCount(requests) },
    { head: 'Error rate', kind: 'number', from: 'md', cell: describeRate },
    {
      head: 'Revenue',
      kind: 'money',
      from: '2xl',
      cell: ({ revenueNanoUsd }) => <AlignedCost nanoUsd={revenueNanoUsd} />,
    },
    {
      head: 'Provider cost',
      kind: 'money',
      from: '2xl',
      cell: ({ providerCostNanoUsd }) => <AlignedCost nanoUsd={providerCostNanoUsd} />,
    },
    { head: 'Margin', kind: 'money', cell: (group) => <GroupMargin group={group} /> },
    {
      head: 'Drift',
      kind: 'money',
      from: '4xl',
      cell: ({ driftPpm }) =>
        driftPpm === null ? (
          '–'
        ) : (
          <Chip tone={isDrifting(driftPpm) ? 'warn' : 'neutral'}>{formatDrift(driftPpm)}</Chip>
        ),
    },
    {
      head: 'First token p50 / p95',
      kind: 'number',
      from: '5xl',
      cell: ({ firstByte }) => <Quantiles times={firstByte} />,
    },
    {
      head: 'Latency p50 / p95',
      kind: 'number',
      from: '3xl',
      cell: ({ latency }) => <Quantiles times={latency} />,
    },
  ];
}

function GroupName({ group: { name }, by }: { group: Group; by: GroupsCardProps['by'] }) {
  if (name === '')
    return (
      <span className="text-ink-2">{by === 'provider' ? 'Not sent to a provider' : 'No known model'}</span>
    );
  const className = 'block truncate py-0.5 rounded-sm font-medium hover:underline';
  if (by === 'provider')
    return (
      <Link to={paths.operatorProviders} className={className} title={name}>
        {name}
      </Link>
    );
  return (
    <Link to={paths.operatorModel} params={{ modelId: name }} className={className} title={name}>
      {name}
    </Link>
  );
}

function GroupMargin({ group }: { group: Group }) {
  const { nanoUsd, percent } = computeMargin(group);
  return (
    <>
      <span className={nanoUsd.startsWith('-') ? 'text-danger' : undefined}>
        <RoundedChange nanoUsd={nanoUsd} />
      </span>
      {percent !== null && <div className="font-sans text-ink-2">{formatMargin(percent)}</div>}
    </>
  );
}
