import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { describeJob } from '@tollgate/core/runtime/describe-job';
import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { Moment } from '../../../components/ui/moment.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { formatCount, formatPlural } from '../../../lib/format/count.ts';
import { paths } from '../../../lib/paths.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorSystem } from '../operator-types.ts';

type Jobs = OperatorSystem['jobs'];
type Kind = Jobs['kinds'][number];
type Job = Jobs['unfinished'][number];

const TONES = { waiting: 'neutral', running: 'ok', retrying: 'warn', failed: 'bad' } as const;

/** The console's background jobs: unfinished and failed ones, and counts by kind. */
export function JobsCard({ jobs }: { jobs: Jobs }) {
  const headingId = useId();
  return (
    <Card className="@container">
      <section aria-labelledby={headingId}>
        <div className="border-b px-3.5 py-2.5 max-md:px-2.5">
          <h2 id={headingId} className="font-semibold">
            Jobs
          </h2>
          <p className="text-[12.5px] text-ink-2">
            Background work of the console: runs at intervals or when needed.
          </p>
          {jobs.keepsEmails && (
            <p className="mt-1 text-[12.5px] text-ink-2">
              No mail server is configured. Emails wait on the{' '}
              <Link to={paths.operatorMails} className={TEXT_LINK}>
                Emails page
              </Link>
              .
            </p>
          )}
        </div>
        {jobs.unfinished.length > 0 && (
          <div className="border-b">
            <DataTable
              caption="Unfinished and failed jobs"
              columns={JOB_COLUMNS}
              rows={jobs.unfinished}
              rowKey={({ id }) => id}
            />
          </div>
        )}
        <DataTable
          caption="Jobs by kind"
          columns={KIND_COLUMNS}
          rows={jobs.kinds}
          rowKey={({ kind }) => kind}
        />
      </section>
    </Card>
  );
}

/** What the job does, and its name in logs. */
function KindName({ kind }: { kind: string }) {
  return (
    <>
      <div className="whitespace-normal">{describeJob(kind)}</div>
      <div className="font-mono text-[12.5px] wrap-break-word whitespace-normal text-ink-3">{kind}</div>
    </>
  );
}

const JOB_COLUMNS: Column<Job>[] = [
  {
    head: 'Job',
    kind: 'main',
    cell: ({ kind, lastError }) => (
      <>
        <KindName kind={kind} />
        {lastError !== null && (
          <div className="text-[12.5px] break-words whitespace-normal text-danger">{lastError}</div>
        )}
      </>
    ),
  },
  {
    head: 'Status',
    className: 'whitespace-nowrap',
    cell: ({ state, attempts }) => (
      <>
        <Chip tone={TONES[state]}>{state}</Chip>
        {attempts > 0 && (
          <div className="mt-1 text-[12.5px] text-ink-2">{formatPlural(attempts, 'attempt')}</div>
        )}
      </>
    ),
  },
  {
    head: 'Due',
    from: 'xl',
    kind: 'time',
    cell: ({ dueAt }) => (dueAt === null ? '–' : <Moment iso={dueAt} />),
  },
  {
    head: 'Actions',
    isHeadHidden: true,
    kind: 'actions',
    cell: (job) => (job.state === 'running' ? null : <RetryButton job={job} />),
  },
];

function RetryButton({ job: { id, kind, state } }: { job: Job }) {
  const retry = useMutation(
    trpc.operator.system.retryJob.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.system.pathFilter());
        toast.success(`The job ${kind} starts now`);
      },
      onError: (error) => toast.error('Couldn’t start the job', { description: describeError(error) }),
    }),
  );
  const action = state === 'waiting' ? 'Run now' : 'Retry';
  return (
    <Button
      size="sm"
      isPending={retry.isPending}
      aria-label={`${action}: ${kind}`}
      onClick={() => retry.mutate({ jobId: id })}
    >
      {action}
    </Button>
  );
}

const getCount = (state: keyof typeof TONES, head: string): Column<Kind> => ({
  head,
  kind: 'number',
  cell: (kind) => formatCount(kind[state]),
});

const KIND_COLUMNS: Column<Kind>[] = [
  {
    head: 'Job',
    className: 'w-full max-w-0 whitespace-normal',
    cell: ({ kind }) => <KindName kind={kind} />,
  },
  getCount('waiting', 'Waiting'),
  getCount('retrying', 'Retrying'),
  getCount('failed', 'Failed'),
  {
    head: 'Last completed',
    from: 'xl',
    kind: 'time',
    cell: ({ lastCompletedAt }) => (lastCompletedAt === null ? '–' : <Moment iso={lastCompletedAt} />),
  },
];
