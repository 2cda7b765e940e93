import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { formatCount, formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import type { OperatorSystem } from '../operator-types.ts';

type Check = NonNullable<OperatorSystem['ledgerCheck']>;

/** Verifies the ledger on demand and shows the last result. */
export function LedgerCard({ check }: { check: Check | null }) {
  const headingId = useId();
  const verify = useMutation(
    trpc.operator.system.verifyLedger.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.operator.system.pathFilter()),
    }),
  );
  return (
    <Card>
      <section aria-labelledby={headingId} className="grid gap-3 px-3.5 py-3">
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1 basis-64">
            <h2 id={headingId} className="font-medium">
              Ledger
            </h2>
            <p className="mt-0.5 text-[13px] text-ink-2">
              Checks that all balances, holds and charges add up. Requests are not interrupted.
            </p>
          </div>
          <Button
            size="sm"
            isPending={verify.isPending || check?.state === 'running'}
            onClick={() => verify.mutate()}
          >
            Verify ledger
          </Button>
        </div>
        <FormError message={verify.isError ? describeError(verify.error) : undefined} />
        <output className="empty:hidden">{check !== null && <Outcome check={check} />}</output>
      </section>
    </Card>
  );
}

function Outcome({ check }: { check: Check }) {
  const { state, report, startedAt, startedBy } = check;
  const by = startedBy === null ? '' : ` by ${startedBy}`;
  const isRight = report !== null && report.violations.length === 0;
  return (
    <div className="grid gap-2 text-[13px]">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {state === 'running' && <Chip tone="warn">running</Chip>}
        {state === 'failed' && <Chip tone="bad">failed</Chip>}
        {state === 'done' && report !== null && (
          <Chip tone={isRight ? 'ok' : 'bad'}>
            {isRight
              ? `OK: ${report.rules} rules passed`
              : `${formatPlural(report.violations.length, 'rule')} failed`}
          </Chip>
        )}
        <span className="text-ink-2">
          <Moment iso={startedAt} />
          {by}
        </span>
      </div>
      {report !== null && (
        <p className="text-ink-2">
          Checked {formatPlural(report.accounts, 'account')}, {formatPlural(report.keys, 'key')},{' '}
          {formatPlural(report.requests, 'request')} and{' '}
          {report.entries === 1 ? '1 ledger entry' : `${formatCount(report.entries)} ledger entries`} in{' '}
          {(report.durationMs / 1000).toFixed(1)} s. Recomputed {formatPlural(report.recomputed, 'cost')}
          {describeUsage(report)}.
        </p>
      )}
      {report?.violations.map(({ rule, total, first }) => (
        <div key={rule} className="rounded-lg bg-danger-soft px-3 py-2 text-danger">
          <div className="font-medium">
            {formatPlural(total, 'violation')}: {rule}
          </div>
          <ul className="mt-1 font-mono text-[12.5px] break-all">
            {first.slice(0, 5).map(({ subject, expected, actual }) => (
              <li key={subject}>
                {subject}: found {actual}, expected {expected}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function describeUsage({ usageCompared, usageNotChecked = 0 }: NonNullable<Check['report']>): string {
  if (usageCompared === undefined) return '';
  const notChecked = usageNotChecked === 0 ? '' : ` (${formatCount(usageNotChecked)} not checked)`;
  return `. Compared ${formatPlural(usageCompared, 'request')} with the provider's usage${notChecked}`;
}
