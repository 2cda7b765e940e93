import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { toast } from '../../../lib/toast.ts';
import { paths } from '../../../lib/paths.ts';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import type { OperatorMail } from '../operator-types.ts';
import { MAIL_LIST_STATES } from '../search.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';

const LABELS = { all: 'All', waiting: 'Waiting', sent: 'Sent', given_up: 'Failed' } as const;
const TONES = { waiting: 'warn', sent: 'ok', given_up: 'bad' } as const;

/** Delivery status of emails. Their content is never shown. */
export function MailsPage() {
  const { state = 'all' } = useSearch({ from: '/app/operator/mails' });
  const navigate = useNavigate({ from: paths.operatorMails });
  const list = useInfiniteQuery(
    trpc.operator.mails.list.infiniteQueryOptions(
      { state },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const mails = list.data?.pages.flatMap((page) => page.mails) ?? [];
  const isKept = list.data?.pages[0]?.isKept === true;
  return (
    <>
      <PageHeader title="Emails">
        {isKept
          ? 'No mail server is configured. Emails wait here and can be read in the mailbox.'
          : 'Delivery status of emails, kept for 30 days. The content is deleted once an email is sent.'}
      </PageHeader>
      <Card className="@container">
        <div className="border-b px-3 py-2.5">
          <Segmented
            label="Email status"
            value={state}
            options={MAIL_LIST_STATES.map((value) => ({ value, label: LABELS[value] }))}
            onValueChange={(next) =>
              void navigate({ search: { state: next === 'all' ? undefined : next }, replace: true })
            }
          />
        </div>
        <DataTable
          list={list}
          failure="The emails could not be loaded"
          caption="Emails, newest first"
          columns={isKept ? COLUMNS : [...COLUMNS, RETRY]}
          rows={mails}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={Mail} title="No emails">
              Emails with this status appear here.
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

const COLUMNS: Column<OperatorMail>[] = [
  {
    head: 'Email',
    kind: 'main',
    cell: ({ recipient, subject, lastError }) => (
      <>
        <div className="truncate font-medium" title={recipient}>
          {recipient}
        </div>
        <div className="truncate text-[12.5px] text-ink-2" title={subject}>
          {subject}
        </div>
        {lastError !== null && <div className="text-[12.5px] break-words text-danger">{lastError}</div>}
      </>
    ),
  },
  {
    head: 'Status',
    className: 'whitespace-nowrap',
    cell: ({ state, attempts }) => (
      <>
        <Chip tone={TONES[state]}>{LABELS[state].toLowerCase()}</Chip>
        {attempts > 0 && (
          <div className="mt-1 text-[12.5px] text-ink-2">{formatPlural(attempts, 'attempt')}</div>
        )}
      </>
    ),
  },
  {
    head: 'Created',
    from: 'xl',
    kind: 'time',
    cell: ({ createdAt }) => <Moment iso={createdAt} />,
  },
];

const RETRY: Column<OperatorMail> = {
  head: 'Actions',
  isHeadHidden: true,
  kind: 'actions',
  cell: (mail) => (mail.state === 'waiting' ? <RetryButton mail={mail} /> : null),
};

function RetryButton({ mail }: { mail: OperatorMail }) {
  const retry = useMutation(
    trpc.operator.mails.retry.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.mails.pathFilter());
        toast.success(`Retrying the email to ${mail.recipient}`);
      },
      onError: (error) => toast.error('Couldn’t retry the email', { description: describeError(error) }),
    }),
  );
  return (
    <Button
      size="sm"
      isPending={retry.isPending}
      aria-label={`Retry the email to ${mail.recipient}`}
      onClick={() => retry.mutate({ mailId: mail.id })}
    >
      Retry
    </Button>
  );
}
