import { useId } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { useNow } from '../../../lib/use-now.ts';
import { Moment } from '../../billing/moment.tsx';
import { RelativeTime } from '../../keys/relative-time.tsx';
import type { OperatorSystem } from '../operator-types.ts';
import { DataTable, type Column } from '../table/data-table.tsx';

const CLOCK_MS = 5_000;
type Replica = OperatorSystem['replicas'][number];

/** The processes of the api. */
export function ReplicasCard({ replicas }: { replicas: Replica[] }) {
  const headingId = useId();
  const nowMs = useNow(CLOCK_MS);
  return (
    <Card className="@container">
      <section aria-labelledby={headingId}>
        <h2 id={headingId} className="border-b px-3.5 py-2.5 font-semibold max-md:px-2.5">
          API processes
        </h2>
        {replicas.length === 0 ? (
          <p className="px-3.5 py-4 text-[13px] text-ink-2 max-md:px-2.5">
            None has said that it lives: no call is answered.
          </p>
        ) : (
          <DataTable
            caption="Processes of the api"
            columns={columns(nowMs)}
            rows={replicas}
            rowKey={({ id }) => id}
          />
        )}
      </section>
    </Card>
  );
}

function columns(nowMs: number): Column<Replica>[] {
  return [
    {
      head: 'Process',
      className: 'w-full max-w-0 truncate font-mono text-[12.5px]',
      cell: ({ id }) => id,
    },
    {
      head: 'State',
      cell: ({ isAlive }) => <Chip tone={isAlive ? 'ok' : 'bad'}>{isAlive ? 'alive' : 'silent'}</Chip>,
    },
    {
      head: 'Last heard of',
      className: 'text-[12.5px] whitespace-nowrap text-ink-2',
      cell: ({ heartbeatAt }) => <RelativeTime iso={heartbeatAt} nowMs={nowMs} never="never" />,
    },
    {
      head: 'Started',
      from: 'medium',
      className: 'text-[12.5px] text-ink-2',
      cell: ({ startedAt }) => <Moment iso={startedAt} />,
    },
  ];
}
