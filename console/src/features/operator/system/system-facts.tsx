import type { ReactNode } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatCount } from '../../../lib/format/count.ts';
import { formatBytes } from '../../../lib/format/bytes.ts';
import type { OperatorReplica, OperatorSystem } from '../operator-types.ts';
import { countInFlight } from './count-in-flight.ts';

/** Key figures of the system. */
export function SystemFacts(props: { system: OperatorSystem; replicas: OperatorReplica[] | undefined }) {
  const { database, queues, nodeVersion } = props.system;
  const { replicas } = props;
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 px-3.5 py-3 lg:grid-cols-4">
        <Processes replicas={replicas} />
        <Fact
          name="Requests in progress"
          figure={replicas === undefined ? '–' : formatCount(countInFlight(replicas))}
        >
          {formatCount(queues.requestsHeld)} with money on hold
        </Fact>
        <Fact name="Emails waiting" figure={formatCount(queues.mailsWaiting)} isBad={queues.mailsFailing > 0}>
          {queues.mailsFailing === 0 ? 'none failed' : `${formatCount(queues.mailsFailing)} failed so far`}
        </Fact>
        <Fact name="Database" figure={formatBytes(database.sizeBytes)}>
          PostgreSQL {database.version}, Node {nodeVersion.replace('v', '')}
        </Fact>
      </dl>
    </Card>
  );
}

/** undefined while loading or after an error. */
function Processes({ replicas }: { replicas: OperatorReplica[] | undefined }) {
  if (replicas === undefined) {
    return (
      <Fact name="API replicas" figure="–">
        unknown
      </Fact>
    );
  }
  const answering = replicas.filter(({ state }) => state === 'answers').length;
  const others = replicas.length - answering;
  return (
    <Fact name="API replicas" figure={formatCount(answering)} isBad={answering === 0}>
      {others === 0 ? 'all responding' : `${formatCount(others)} not responding`}
    </Fact>
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
