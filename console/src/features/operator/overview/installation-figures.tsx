import { Link } from '@tanstack/react-router';
import { RoundedChange, RoundedCost } from '../../../components/ui/rounded-cost.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { Stat, StatGrid } from '../../../components/ui/stat.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { formatCount, formatPlural } from '../../../lib/format/count.ts';
import { formatCostRounded } from '../../../lib/format/money.ts';
import { paths } from '../../../lib/paths.ts';
import { CountChange, SpendChange } from '../../usage/change-note.tsx';
import { describeRate } from '../../usage/error-rate.ts';
import { Quantiles } from '../../usage/quantiles.tsx';
import { formatDrift } from '../costs/format-drift.ts';
import type { OperatorOverview } from '../operator-types.ts';
import { useReplicas } from '../use-replicas.ts';
import { countInFlight } from '../system/count-in-flight.ts';
import { computeMargin, formatMargin } from './compute-margin.ts';

/** Key figures of the installation. */
export function InstallationFigures({ overview }: { overview: OperatorOverview }) {
  const { totals, previousTotals } = overview;
  return (
    <>
      <StatGrid>
        <Stat
          label="Revenue"
          note={<SpendChange now={totals.revenueNanoUsd} before={previousTotals.revenueNanoUsd} />}
        >
          <RoundedCost nanoUsd={totals.revenueNanoUsd} />
        </Stat>
        <Stat
          label="Provider cost"
          note={
            overview.healthCheckNanoUsd === '0' ? (
              <SpendChange now={totals.providerCostNanoUsd} before={previousTotals.providerCostNanoUsd} />
            ) : (
              `with ${formatCostRounded(overview.healthCheckNanoUsd)} for health checks`
            )
          }
        >
          <RoundedCost nanoUsd={totals.providerCostNanoUsd} />
        </Stat>
        <MarginFigure totals={totals} />
        <InFlightFigure />
      </StatGrid>
      <StatGrid>
        <Stat label="Requests" note={<CountChange now={totals.requests} before={previousTotals.requests} />}>
          {formatCount(totals.requests)}
        </Stat>
        <Stat
          label="Error rate"
          note={`${formatPlural(totals.errors, 'failed request')}, ${describeRate(previousTotals)} before`}
        >
          {describeRate(totals)}
        </Stat>
        <Stat label="Time to first token (p50 / p95)">
          <Quantiles times={totals.firstByte} />
        </Stat>
        <Stat label="Total latency (p50 / p95)">
          <Quantiles times={totals.latency} />
        </Stat>
      </StatGrid>
    </>
  );
}

function MarginFigure({ totals }: { totals: OperatorOverview['totals'] }) {
  const { nanoUsd, percent } = computeMargin(totals);
  return (
    <Stat
      label="Margin"
      note={
        <>
          {percent === null ? 'no revenue' : `${formatMargin(percent)} of revenue`}
          {totals.driftPpm !== null && (
            <>
              {', '}
              <Link to={paths.operatorCosts} className={TEXT_LINK}>
                cost drift {formatDrift(totals.driftPpm)}
              </Link>
            </>
          )}
        </>
      }
    >
      <RoundedChange nanoUsd={nanoUsd} />
    </Stat>
  );
}

function InFlightFigure() {
  const { data, isError } = useReplicas();
  const responding = data?.replicas.filter(({ report }) => report !== null).length ?? 0;
  return (
    <Stat
      label="Requests in progress"
      note={data !== undefined && `on ${formatPlural(responding, 'API replica')}`}
    >
      {data === undefined && !isError && <Skeleton className="h-6 w-24" />}
      {data === undefined && isError && '–'}
      {data !== undefined && formatCount(countInFlight(data.replicas))}
    </Stat>
  );
}
