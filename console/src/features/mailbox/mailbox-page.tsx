import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { paths } from '../../lib/paths.ts';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { LoadMore } from '../../components/ui/load-more.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { formatRelative } from '../../lib/format/time.ts';
import { trpc, type MailRow } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';

const REFRESH_MS = 3_000;
const CLOCK_MS = 5_000;

/** Emails stored instead of sent because no SMTP server is set up. */
export function MailboxPage() {
  const list = useInfiniteQuery(
    trpc.mailbox.list.infiniteQueryOptions(
      {},
      { getNextPageParam: (page) => page.nextCursor, staleTime: 0, refetchInterval: REFRESH_MS },
    ),
  );
  const mails = list.data?.pages.flatMap((page) => page.mails) ?? [];
  return (
    <>
      <PageHeader title="Mailbox">
        No mail server is configured (SMTP_URL). Emails are stored here and not sent.
      </PageHeader>
      <Card>
        {list.isPending && <MailSkeleton />}
        {list.isError && list.data === undefined && (
          <ErrorState
            title="The mailbox could not be loaded"
            error={list.error}
            isRetrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {list.data !== undefined && mails.length === 0 && (
          <EmptyState icon={Inbox} title="No emails yet">
            Codes and links appear here automatically.
          </EmptyState>
        )}
        <MailList mails={mails} />
        <LoadMore
          hasMore={list.hasNextPage}
          isLoading={list.isFetchingNextPage}
          error={list.isFetchNextPageError ? list.error : null}
          onLoad={() => void list.fetchNextPage()}
        />
      </Card>
    </>
  );
}

function MailList({ mails }: { mails: MailRow[] }) {
  const nowMs = useNow(CLOCK_MS);
  return (
    <ul className="divide-y" aria-label="Emails">
      {mails.map((mail) => (
        <li key={mail.id}>
          <Link
            to={paths.mail}
            params={{ id: mail.id }}
            className="grid gap-x-6 px-3.5 py-[11px] first:rounded-t-xl hover:bg-sunken focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto] sm:items-center"
          >
            <span className="truncate font-medium">{mail.subject}</span>
            <span className="truncate text-[12.5px] text-ink-2">{mail.recipient}</span>
            <time dateTime={mail.createdAt} className="text-[12.5px] text-ink-3 sm:w-32 sm:text-right">
              {formatRelative(new Date(mail.createdAt), nowMs)}
            </time>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function MailSkeleton() {
  return (
    <div className="divide-y">
      <output className="sr-only">Loading emails</output>
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex h-[43px] items-center gap-6 px-3.5">
          <Skeleton className="h-3.5 w-2/5" />
          <Skeleton className="h-3 w-1/4" />
        </div>
      ))}
    </div>
  );
}
