import { useQuery } from '@tanstack/react-query';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { TableSkeleton } from '../../../components/ui/table-skeleton.tsx';
import { useReplicas } from '../use-replicas.ts';
import { DatabaseCard } from './database-card.tsx';
import { JobsCard } from './jobs-card.tsx';
import { LedgerCard } from './ledger-card.tsx';
import { OperatorTwoFactor } from './operator-two-factor.tsx';
import { ReplicasCard } from './replicas-card.tsx';
import { SignUpCard } from './sign-up-card.tsx';
import { TaxesCard } from './taxes/taxes-card.tsx';
import { SystemFacts } from './system-facts.tsx';

const REFRESH_MS = 10_000;
const WATCH_MS = 1_000;

/** System health and installation-wide settings. */
export function SystemPage() {
  const query = useQuery(
    trpc.operator.system.get.queryOptions(undefined, {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.ledgerCheck?.state === 'running' ? WATCH_MS : REFRESH_MS),
    }),
  );
  const replicas = useReplicas();
  const system = query.data;
  return (
    <>
      <PageHeader title="System">System health, sign-up policy and tax rates.</PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {query.isPending && (
          <Card className="@container">
            <TableSkeleton />
          </Card>
        )}
        {query.isError && system === undefined && (
          <Card>
            <ErrorState
              title="The system status could not be loaded"
              error={query.error}
              isRetrying={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          </Card>
        )}
        {system !== undefined && (
          <>
            <SystemFacts system={system} replicas={replicas.data?.replicas} />
            <LedgerCard check={system.ledgerCheck} />
          </>
        )}
        <OperatorTwoFactor />
        <SignUpCard />
        <TaxesCard />
        {system !== undefined && (
          <>
            <ReplicasCard replicas={replicas} />
            <JobsCard jobs={system.jobs} />
            <DatabaseCard system={system} />
          </>
        )}
      </div>
    </>
  );
}
