import type { ReactNode } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import type { Statement } from '../../../lib/trpc.ts';
import { formatUtcShort } from './describe-month.ts';

/** Issuer and customer of a statement, and when it becomes final. */
export function StatementParties({ statement: { parties, state, finalAt } }: { statement: Statement }) {
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-4 p-5 text-[13px] max-sm:p-4 sm:grid-cols-2 lg:grid-cols-3 print:grid-cols-3">
        {parties.map(({ heading, lines }) => (
          <Fact key={heading} name={heading}>
            {lines.join('\n')}
          </Fact>
        ))}
        <Fact name={state === 'final' ? 'Final since' : 'Final on'}>
          {formatUtcShort(finalAt)} UTC
          {state !== 'final' && '\nThe amounts can change until then.'}
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-0.5 text-ink-2">{name}</dt>
      <dd className="break-words whitespace-pre-line">{children}</dd>
    </div>
  );
}
