import { useId } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { Note } from '../../../components/ui/note.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import { Paged } from '../../../components/ui/paged.tsx';
import { RelativeTime } from '../../../components/ui/relative-time.tsx';
import type { OperatorReplica, OperatorReplicas } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import type { useReplicas } from '../use-replicas.ts';
import { findWarnings } from './find-warnings.ts';
import { formatBytes } from '../../../lib/format/bytes.ts';
import { ReplicaState } from './replica-state.tsx';

const CLOCK_MS = 5_000;

/** The API replicas with the state that they report. */
export function ReplicasCard({ replicas }: { replicas: ReturnType<typeof useReplicas> }) {
  const headingId = useId();
  const { data } = replicas;
  return (
    <Card className="@container">
      <section aria-labelledby={headingId}>
        <div className="border-b px-3.5 py-2.5 max-md:px-2.5">
          <h2 id={headingId} className="font-semibold">
            API replicas
          </h2>
          <p className="text-[12.5px] text-ink-2">
            Processes that serve requests. Costs wait in the ledger queue, and on disk (spool) while the
            database is unavailable.
          </p>
        </div>
        <Paged list={replicas} title="The replicas could not be loaded">
          {data !== undefined && <Replicas seen={data} isStale={replicas.isError} />}
        </Paged>
      </section>
    </Card>
  );
}

function Replicas({ seen, isStale }: { seen: OperatorReplicas; isStale: boolean }) {
  const nowMs = useNow(CLOCK_MS);
  if (seen.replicas.length === 0) {
    return (
      <p className="px-3.5 py-4 text-[13px] text-ink-2 max-md:px-2.5">
        No replica is running. Start one to serve requests.
      </p>
    );
  }
  const warnings = findWarnings(seen);
  return (
    <>
      {warnings.length > 0 && (
        <div className="grid gap-2 border-b p-3">
          {warnings.map((warning) => (
            <Note key={warning} tone="warn">
              {warning}
            </Note>
          ))}
        </div>
      )}
      <DataTable
        caption="API replicas"
        columns={columns(nowMs, seen.consoleVersion)}
        rows={seen.replicas}
        rowKey={({ id }) => id}
        isStale={isStale}
      />
    </>
  );
}

function columns(nowMs: number, consoleVersion: string): Column<OperatorReplica>[] {
  return [
    {
      head: 'Replica',
      kind: 'main',
      cell: ({ id, startedAt, heartbeatAt, report }) => (
        <>
          <div className="truncate font-mono text-[12.5px]" title={id}>
            {id}
          </div>
          <div className="text-[12.5px] whitespace-normal text-ink-3">
            started <Moment iso={startedAt} />, last heartbeat{' '}
            <RelativeTime iso={heartbeatAt} nowMs={nowMs} never="never" />
            {report !== null && (
              <>
                <span className="@xl:hidden">, version {report.version}</span>
                <span className="@3xl:hidden">; {describeWork(report)}</span>
              </>
            )}
          </div>
        </>
      ),
    },
    { head: 'Status', cell: (replica) => <ReplicaState replica={replica} /> },
    {
      head: 'Version',
      from: 'xl',
      className: 'whitespace-nowrap',
      cell: ({ report }) =>
        report !== null && (
          <Chip tone={report.version === consoleVersion ? 'neutral' : 'warn'}>{report.version}</Chip>
        ),
    },
    {
      head: 'In flight',
      from: '3xl',
      kind: 'number',
      cell: ({ report }) => report !== null && formatCount(report.inFlight),
    },
    {
      head: 'Ledger queue',
      from: '3xl',
      kind: 'number',
      cell: ({ report }) => report !== null && formatCount(report.ledger.holds + report.ledger.settlements),
    },
    {
      head: 'Spool',
      from: '3xl',
      kind: 'number',
      cell: ({ report }) => report !== null && formatBytes(report.ledger.spooledBytes),
    },
  ];
}

/** Summary for narrow cards, which hide these columns. */
function describeWork({ inFlight, ledger }: NonNullable<OperatorReplica['report']>): string {
  const queue = formatCount(ledger.holds + ledger.settlements);
  return `${formatCount(inFlight)} in flight, ${queue} queued for the ledger, ${formatBytes(ledger.spooledBytes)} in the spool`;
}
