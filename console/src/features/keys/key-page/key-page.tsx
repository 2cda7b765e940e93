import { Link, useParams } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { paths } from '../../../lib/paths.ts';
import { BackLink } from '../../../components/layouts/back-link.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { errorCode } from '../../../lib/api-error.ts';
import { useCurrentAccount, useHasRole } from '../../../lib/current-account.ts';
import type { KeyView } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { hasEnded, getKeyState } from '../key-state.ts';
import { BudgetChip, StateChip, StateDot } from '../state-chips.tsx';
import { useKey } from '../use-keys.ts';
import { KeyActionsBar } from './key-actions-bar.tsx';
import { KeyFacts } from './key-facts.tsx';
import { KeyFigures } from './key-figures.tsx';
import { KeyPageSkeleton } from './key-page-skeleton.tsx';
import { KeyRequests } from './key-requests.tsx';
import { KeyUsage } from './key-usage.tsx';
import { RotationNote } from './rotation-note.tsx';

const CLOCK_MS = 5_000;

/** Details of one key: usage, scope, rotation and revocation. */
export function KeyPage() {
  const { keyId } = useParams({ from: '/app/keys/$keyId' });
  const account = useCurrentAccount();
  const key = useKey(account.id, keyId);
  return (
    <>
      <BackLink to={paths.keys}>API keys</BackLink>
      {key.data !== undefined && <Loaded key={key.data.id} accountId={account.id} view={key.data} />}
      {key.isPending && <KeyPageSkeleton />}
      {key.isError && key.data === undefined && (
        <Card>
          {errorCode(key.error) === 'NOT_FOUND' ? (
            <NoSuchKey />
          ) : (
            <ErrorState
              title="The key could not be loaded"
              error={key.error}
              isRetrying={key.isFetching}
              onRetry={() => void key.refetch()}
            />
          )}
        </Card>
      )}
    </>
  );
}

function Loaded({ accountId, view }: { accountId: string; view: KeyView }) {
  const canEdit = useHasRole('member');
  const nowMs = useNow(CLOCK_MS);
  const state = getKeyState(view, nowMs);
  const isAlive = !hasEnded(state);
  return (
    <>
      <PageHeader
        title={view.name}
        action={canEdit ? <KeyActionsBar accountId={accountId} view={view} isAlive={isAlive} /> : undefined}
      >
        <span className="flex flex-wrap items-center gap-2">
          <StateDot state={state} />
          <span className="font-mono text-[12.5px]">
            {view.prefix}…{view.last4}
          </span>
          <StateChip row={view} state={state} nowMs={nowMs} />
          <BudgetChip row={view} state={state} />
        </span>
      </PageHeader>
      <RotationNote view={view} />
      <KeyFigures view={view} nowMs={nowMs} />
      <div className="mt-3.5 grid gap-3.5 xl:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 content-start gap-3.5">
          <KeyUsage accountId={accountId} keyId={view.id} />
          <KeyRequests accountId={accountId} keyId={view.id} />
        </div>
        <KeyFacts accountId={accountId} view={view} canEdit={canEdit} isAlive={isAlive} />
      </div>
    </>
  );
}

function NoSuchKey() {
  return (
    <EmptyState
      icon={SearchX}
      title="Key not found"
      action={
        <Button asChild>
          <Link to={paths.keys}>View all keys</Link>
        </Button>
      }
    >
      It may belong to another account, or the link is wrong.
    </EmptyState>
  );
}
