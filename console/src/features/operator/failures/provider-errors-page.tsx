import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FailureTable } from '../../../components/failures/failure-table.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { describeLastDays } from '../../../lib/format/last-days.ts';
import { formatExactDateTime } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { trpc, type FailureGroup } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { FAILURE_PERIODS, PERIOD_DAYS } from '../search.ts';

const CLOCK_MS = 30_000;
const LABELS = { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days' } as const;

/** Failed attempts at providers over all accounts, grouped by cause. */
export function ProviderErrorsPage() {
  const { period = '24h', provider, model } = useSearch({ from: '/app/operator/errors' });
  const navigate = useNavigate({ from: '/operator/errors' });
  const nowMs = useNow(CLOCK_MS);
  const filter = {
    period,
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
  };
  const list = useQuery(
    trpc.operator.failures.list.queryOptions(filter, { placeholderData: keepPreviousData, staleTime: 0 }),
  );
  const names = useQuery(trpc.operator.failures.providers.queryOptions()).data ?? [];
  const models = [...new Set((list.data?.groups ?? []).flatMap((group) => group.models))];
  const change = (part: {
    period?: typeof period | undefined;
    provider?: string | undefined;
    model?: string | undefined;
  }) => void navigate({ search: (current) => ({ ...current, ...part }), replace: true, resetScroll: false });
  return (
    <>
      <PageHeader title="Provider errors">
        Failed attempts at providers, over all accounts, grouped by cause. Another attempt may have answered
        the request.
      </PageHeader>
      <Card className="@container">
        <div className="flex flex-wrap gap-2 border-b px-3 py-2.5">
          <Segmented
            label="Period"
            value={period}
            options={FAILURE_PERIODS.map((value) => ({
              value,
              label: LABELS[value],
              ...(value === '7d' && { hint: describeLastDays(PERIOD_DAYS[value]) }),
            }))}
            onValueChange={(next) => change({ period: next === '24h' ? undefined : next })}
          />
          <Choice
            label="Provider"
            value={provider}
            options={names}
            onChoose={(next) => change({ provider: next })}
          />
          <Choice label="Model" value={model} options={models} onChoose={(next) => change({ model: next })} />
        </div>
        {list.isPending && <Skeleton className="m-4 h-64" />}
        {list.isError && list.data === undefined && (
          <ErrorState
            title="The errors could not be loaded"
            error={list.error}
            isRetrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {list.data !== undefined && (
          <FailureTable
            groups={list.data.groups}
            nowMs={nowMs}
            reader="operator"
            isStale={list.isPlaceholderData}
            emptyText="No attempt at a provider failed in this period."
            renderExample={(group) => <Example group={group} />}
          />
        )}
        {list.data !== undefined && list.data.searchedTo !== null && (
          <p className="border-t px-4 py-3 text-[13px] text-ink-2">
            Searched back to {formatExactDateTime(new Date(list.data.searchedTo))}. Choose a shorter period to
            see all of it.
          </p>
        )}
      </Card>
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: readonly string[];
  onChoose: (value: string | undefined) => void;
}

function Choice({ label, value = '', options, onChoose }: ChoiceProps) {
  const all = value === '' || options.includes(value) ? options : [value, ...options];
  return (
    <Select
      aria-label={label}
      value={value}
      className="w-[190px]"
      onChange={(event) => onChoose(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">{label}</option>
      {all.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  );
}

function Example({ group: { exampleId, exampleAccountId } }: { group: FailureGroup }) {
  return (
    <div className="grid justify-items-start gap-1 text-[13px]">
      <CopyButton text={exampleId} label="Copy request ID" size="sm" variant="ghost" className="-ml-2" />
      {exampleAccountId !== null && (
        <Link to={paths.operatorAccount} params={{ accountId: exampleAccountId }} className={TEXT_LINK}>
          Open account
        </Link>
      )}
    </div>
  );
}
