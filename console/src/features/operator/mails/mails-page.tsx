import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { toast } from 'sonner';
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
import { Moment } from '../../billing/moment.tsx';
import type { OperatorMail } from '../operator-types.ts';
import { MAIL_LIST_STATES } from '../search.ts';
import { DataTable, type Column } from '../table/data-table.tsx';
import { Paged } from '../../../components/ui/paged.tsx';

const LABELS = { all: 'All', waiting: 'Waiting', sent: 'Sent', given_up: 'Given up' } as const;
const TONES = { waiting: 'warn', sent: 'ok', given_up: 'bad' } as const;

/** Which mails left, which wait, and why: never what they say. */
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
      <PageHeader title="Mails">
        {isKept
          ? 'This installation has no mail server: mails wait here, and can be read in the mailbox.'
          : 'Which mails left, which wait, and why. They are kept for 30 days, without what they say once they are sent.'}
      </PageHeader>
      <Card className="@container">
        <div className="border-b px-3 py-2.5">
          <Segmented
            label="Which mails"
            value={state}
            options={MAIL_LIST_STATES.map((value) => ({ value, label: LABELS[value] }))}
            onValueChange={(next) =>
              void navigate({ search: { state: next === 'all' ? undefined : next }, replace: true })
            }
          />
        </div>
        <Paged list={list} title="The mails could not be loaded">
          {mails.length === 0 ? (
            <EmptyState icon={Mail} title="No mails">
              None is in this state.
            </EmptyState>
          ) : (
            <DataTable
              caption="Mails, the newest first"
              columns={isKept ? COLUMNS : [...COLUMNS, RETRY]}
              rows={mails}
              rowKey={({ id }) => id}
              isStale={list.isPlaceholderData}
            />
          )}
        </Paged>
      </Card>
    </>
  );
}

const COLUMNS: Column<OperatorMail>[] = [
  {
    head: 'Mail',
    className: 'w-full max-w-0',
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
    head: 'State',
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
    head: 'Written',
    from: 'medium',
    className: 'text-[12.5px] text-ink-2',
    cell: ({ createdAt }) => <Moment iso={createdAt} />,
  },
];

const RETRY: Column<OperatorMail> = {
  head: 'Actions',
  isHeadHidden: true,
  isRight: true,
  cell: (mail) => (mail.state === 'waiting' ? <RetryButton mail={mail} /> : null),
};

function RetryButton({ mail }: { mail: OperatorMail }) {
  const retry = useMutation(
    trpc.operator.mails.retry.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.mails.pathFilter());
        toast.success(`The mail to ${mail.recipient} is tried again`);
      },
      onError: (error) => toast.error('It was not tried again', { description: describeError(error) }),
    }),
  );
  return (
    <Button
      size="sm"
      isPending={retry.isPending}
      aria-label={`Try the mail to ${mail.recipient} again`}
      onClick={() => retry.mutate({ mailId: mail.id })}
    >
      Try now
    </Button>
  );
}
