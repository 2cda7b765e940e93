import { nameClient } from '@tollgate/core/clients/clients';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { BackLink } from '../../../components/layouts/back-link.tsx';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { useCurrentAccount } from '../../../lib/current-account.ts';
import { paths, requestExportPath } from '../../../lib/paths.ts';
import { trpc, type RequestSession } from '../../../lib/trpc.ts';
import { formatMinute } from '../format-clock.ts';
import { SessionFigures } from './session-figures.tsx';
import { Turns } from './turns.tsx';

/** While requests are in progress. */
const REFRESH_MS = 3_000;

/** One session, read as a conversation: its sums, and its requests in order. */
export function SessionPage() {
  const account = useCurrentAccount();
  const { session = '', request } = useSearch({ from: '/app/requests/session' });
  const navigate = useNavigate({ from: '/requests/session' });
  const show = (id: string | undefined) =>
    void navigate({
      search: (current) => ({ ...current, request: id }),
      replace: true,
      resetScroll: false,
    });
  const query = useQuery(
    trpc.requests.session.queryOptions(
      { accountId: account.id, session },
      {
        staleTime: 0,
        refetchInterval: ({ state }) => ((state.data?.open ?? 0) > 0 ? REFRESH_MS : false),
      },
    ),
  );
  const totals = query.data;
  return (
    <>
      <BackLink to={paths.requestSessions}>Sessions</BackLink>
      <PageHeader title="Session" action={totals !== undefined && <Actions totals={totals} />}>
        <span className="inline-flex max-w-full items-center gap-1">
          <span className="min-w-0 font-mono text-[12.5px] break-all text-ink">{session}</span>
          <CopyButton
            text={session}
            label="Copy session"
            isIconOnly
            variant="ghost"
            size="icon"
            className="-my-1.5"
          />
        </span>
        {totals !== undefined && <span className="block">{describe(totals)}</span>}
      </PageHeader>
      {query.isPending && <Skeleton className="h-96" />}
      {query.isError && totals === undefined && (
        <Card>
          <ErrorState
            title="The session could not be loaded"
            error={query.error}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </Card>
      )}
      {totals !== undefined && (
        <div className="grid gap-3.5">
          <SessionFigures totals={totals} />
          <Turns key={session} totals={totals} shownId={request} onShow={show} />
        </div>
      )}
    </>
  );
}

function Actions({ totals: { session, firstAt } }: { totals: RequestSession }) {
  const account = useCurrentAccount();
  // The log and its export start at the first request that is added up: of a very long session, not its very first.
  const filter = { session, from: firstAt };
  return (
    <>
      <Button asChild>
        <Link to={paths.requests} search={filter}>
          <ListTree aria-hidden className="size-4" />
          Show in log
        </Link>
      </Button>
      <ExportMenu getHref={(format) => requestExportPath(format, account.id, filter)} />
    </>
  );
}

/** `Claude Code · claude-sonnet-5 · 21 Nov, 16:05 to 21 Nov, 16:40`. */
function describe({ clients, models, firstAt, lastAt }: RequestSession): string {
  const time = `${formatMinute(new Date(firstAt))} to ${formatMinute(new Date(lastAt))}`;
  return [...new Set(clients.map(nameClient)), ...models, time].join(' · ');
}
