import type { ReactNode } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatCount, formatPlural } from '../../../lib/format/count.ts';
import type { OperatorSystem } from '../operator-types.ts';
import { formatBytes } from './format-bytes.ts';

/** What there is to see at a glance. */
export function SystemFacts({ system }: { system: OperatorSystem }) {
  const { database, queues, replicas, nodeVersion } = system;
  const alive = replicas.filter(({ isAlive }) => isAlive).length;
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 p-5 max-sm:p-4 lg:grid-cols-4">
        <Fact name="API processes" figure={formatCount(alive)} isBad={alive === 0}>
          {alive === replicas.length
            ? 'all say that they live'
            : `${formatPlural(replicas.length - alive, 'other')} silent`}
        </Fact>
        <Fact name="Requests under way" figure={formatCount(queues.requestsHeld)}>
          with money held for them
        </Fact>
        <Fact name="Mails waiting" figure={formatCount(queues.mailsWaiting)} isBad={queues.mailsFailing > 0}>
          {queues.mailsFailing === 0
            ? 'none has failed'
            : `${formatCount(queues.mailsFailing)} failed so far`}
        </Fact>
        <Fact name="Database" figure={formatBytes(database.sizeBytes)}>
          PostgreSQL {database.version}, Node {nodeVersion.replace('v', '')}
        </Fact>
      </dl>
    </Card>
  );
}

function Fact(props: { name: string; figure: string; isBad?: boolean; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[13px] text-ink-2">{props.name}</dt>
      <dd>
        <div
          className={cn('text-xl/8 font-semibold tracking-[-0.01em]', props.isBad === true && 'text-danger')}
        >
          {props.figure}
        </div>
        <div className="text-[12.5px] text-ink-3">{props.children}</div>
      </dd>
    </div>
  );
}
