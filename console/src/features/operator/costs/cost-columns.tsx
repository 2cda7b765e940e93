import { Chip } from '../../../components/ui/chip.tsx';
import { AlignedCost, RoundedCost } from '../../../components/ui/rounded-cost.tsx';
import { formatPlural } from '../../../lib/format/count.ts';
import type { OperatorCosts } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { formatDrift } from './format-drift.ts';

export const COST_COLUMNS: Column<OperatorCosts>[] = [
  {
    head: 'Model and route',
    kind: 'main',
    cell: ({ model, routeId, provider, reported }) => (
      <>
        <div className="truncate font-medium" title={model}>
          {model === '' ? 'No model' : model}
        </div>
        <div className="truncate text-[12.5px] text-ink-2" title={routeId ?? undefined}>
          {[provider, routeId ?? 'unknown route'].filter((part) => part !== null).join(' · ')}
        </div>
        {reported !== null && (
          <div className="text-[12.5px] text-ink-2 @xl:hidden">
            <RoundedCost nanoUsd={reported.reportedNanoUsd} /> reported,{' '}
            <RoundedCost nanoUsd={reported.billedNanoUsd} /> billed
          </div>
        )}
      </>
    ),
  },
  {
    head: 'Billed cost',
    from: 'xl',
    kind: 'money',
    cell: ({ reported }) => (reported === null ? '–' : <AlignedCost nanoUsd={reported.billedNanoUsd} />),
  },
  {
    head: 'Reported',
    from: 'xl',
    kind: 'money',
    cell: ({ reported }) => <Amount costNanoUsd={reported?.reportedNanoUsd} requests={reported?.requests} />,
  },
  {
    head: 'Drift',
    kind: 'money',
    cell: ({ reported }) => {
      if (reported === null) return '–';
      return <Chip tone={reported.isDrifting ? 'warn' : 'neutral'}>{formatDrift(reported.driftPpm)}</Chip>;
    },
  },
  {
    head: 'Unbilled',
    kind: 'money',
    cell: ({ unbilled }) => <Amount costNanoUsd={unbilled?.costNanoUsd} requests={unbilled?.requests} />,
  },
];

function Amount({
  costNanoUsd,
  requests,
}: {
  costNanoUsd?: string | undefined;
  requests?: number | undefined;
}) {
  if (costNanoUsd === undefined || requests === undefined) return '–';
  return (
    <>
      <RoundedCost nanoUsd={costNanoUsd} />
      <div className="font-sans text-ink-2">{formatPlural(requests, 'request')}</div>
    </>
  );
}
