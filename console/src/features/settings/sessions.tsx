import { useMutation, useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../components/ui/button.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { describeError } from '../../lib/api-error.ts';
import { queryClient } from '../../lib/query-client.ts';
import { trpc, type SessionRow } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { RelativeTime } from '../../components/ui/relative-time.tsx';
import { describeDevice } from '@tollgate/core/people/describe-device';
import { Section } from './section.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

const REFRESH_MS = 30_000;

export function Sessions() {
  const list = useQuery(trpc.sessions.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const refresh = () => queryClient.invalidateQueries(trpc.sessions.pathFilter());
  const endOthers = useMutation(
    trpc.sessions.endOthers.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast.success('Signed out all other sessions');
      },
      onError: (error) =>
        toast.error('Sessions could not be signed out', { description: describeError(error) }),
    }),
  );
  const rows = list.data?.sessions ?? [];
  return (
    <Section
      title="Sessions"
      description="Devices where you are signed in. API keys keep working when a session ends."
    >
      {list.isPending && (
        <div className="grid gap-3">
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      )}
      {list.isError && (
        <ErrorState
          title="Sessions could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {rows.length > 0 && (
        <ul className="mb-4 divide-y divide-line border-b" aria-label="Sessions">
          {rows.map((row) => (
            <SessionItem key={row.id} row={row} onEnded={refresh} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {rows.length > 1 && (
          <Button isPending={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out other sessions
          </Button>
        )}
        <SignOutEverywhere />
      </div>
    </Section>
  );
}

function SessionItem({ row, onEnded }: { row: SessionRow; onEnded: () => Promise<void> }) {
  const nowMs = useNow(REFRESH_MS);
  const [isSignedOut, setIsSignedOut] = useState(false);
  const { name, isHandheld } = describeDevice(row.userAgent);
  const Icon = isHandheld ? Smartphone : Monitor;
  const end = useMutation(
    trpc.sessions.end.mutationOptions({
      onSuccess: async () => {
        setIsSignedOut(true);
        await onEnded();
      },
      onError: (error) =>
        toast.error('The session could not be signed out', { description: describeError(error) }),
    }),
  );
  if (isSignedOut) return null;
  return (
    <li className="flex items-center gap-3 py-2.5 first:pt-0">
      <Icon aria-hidden className="size-5 shrink-0 text-ink-3" strokeWidth={1.6} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{name}</span>
          {row.isThisOne && <Chip tone="ok">This session</Chip>}
        </div>
        <div className="text-[13px] break-words text-ink-2">
          {row.address !== null && <span className="font-mono text-[12.5px]">{row.address}</span>}
          {row.address !== null && ' · '}
          {row.isThisOne ? (
            'Active now'
          ) : (
            <RelativeTime iso={row.lastSeenAt} nowMs={nowMs} never="" prefix="last active " />
          )}
        </div>
      </div>
      {!row.isThisOne && (
        <Button size="sm" isPending={end.isPending} onClick={() => end.mutate({ id: row.id })}>
          Sign out<span className="sr-only"> {name}</span>
        </Button>
      )}
    </li>
  );
}
