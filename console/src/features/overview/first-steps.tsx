import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { cn } from '../../lib/cn.ts';
import { useHasRole } from '../../lib/current-account.ts';
import { formatBalanceShort } from '../../lib/format/money.ts';
import { useSession } from '../../lib/session.ts';
import { trpc, type Billing } from '../../lib/trpc.ts';
import { FirstCallSnippet } from './first-call-snippet.tsx';

interface FirstStepsProps {
  accountId: string;
  steps: { hasKey: boolean; hasSucceeded: boolean };
}

/** Onboarding checklist up to the first successful request. */
export function FirstSteps({ accountId, steps }: FirstStepsProps) {
  const { user } = useSession();
  const canCreate = useHasRole('member');
  const billing = useQuery(trpc.billing.get.queryOptions({ accountId })).data;
  return (
    <Card>
      <section aria-labelledby="first-steps" className="p-5 max-sm:p-4">
        <h2 id="first-steps" className="font-semibold">
          Your first request
        </h2>
        <p className="text-ink-2">Four steps to your first response.</p>
        <ol className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
          <Step number={1} title="Verify your email" isDone={user?.emailVerified === true}>
            {user?.email}
          </Step>
          <MoneyStep billing={billing} />
          <Step
            number={3}
            title="Create a key"
            isDone={steps.hasKey}
            action={
              canCreate && (
                <Button asChild size="sm" variant={steps.hasKey ? 'secondary' : 'primary'}>
                  <Link to={paths.keys}>{steps.hasKey ? 'View keys' : 'Create key'}</Link>
                </Button>
              )
            }
          >
            {canCreate
              ? 'A key sets which models a program can use and how much it can spend.'
              : 'Ask a member of this account to create a key.'}
          </Step>
          <Step number={4} title="Send a request" isDone={steps.hasSucceeded}>
            Set <code className="font-mono text-xs">SERVICE_API_KEY</code> to your key and run this in a
            terminal. This page updates automatically after the first response.
            <FirstCallSnippet accountId={accountId} />
          </Step>
        </ol>
      </section>
    </Card>
  );
}

function MoneyStep({ billing }: { billing: Billing | undefined }) {
  const canTopUp = useHasRole('admin') && billing !== undefined && billing.payments.mode !== 'none';
  const title = 'Add credit';
  if (billing === undefined) return <Step number={2} title={title} isDone={false} />;
  if (!billing.plan.isPrepaid)
    return (
      <Step number={2} title={title} isDone>
        Your plan does not charge requests to a balance.
      </Step>
    );
  const hasCredit = BigInt(billing.availableNanoUsd) > 0n;
  return (
    <Step
      number={2}
      title={title}
      isDone={hasCredit}
      action={
        canTopUp && (
          <Button asChild size="sm">
            <Link to={paths.billing}>{hasCredit ? 'View balance' : 'Top up'}</Link>
          </Button>
        )
      }
    >
      {hasCredit
        ? `${formatBalanceShort(billing.availableNanoUsd)} of credit is available.`
        : 'The balance is empty. Requests are refused until you add credit.'}
    </Step>
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  action?: ReactNode;
  children?: ReactNode;
}

function Step({ number, title, isDone, action, children }: StepProps) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden
        className={cn(
          'mt-px grid size-[22px] place-items-center rounded-full text-xs font-medium',
          isDone ? 'bg-accent text-accent-ink' : 'bg-sunken text-ink-2',
        )}
      >
        {isDone ? <Check className="size-3.5" strokeWidth={3} /> : number}
      </span>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h3 className={cn('font-medium', isDone && 'text-ink-2')}>
            {title}
            <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
          </h3>
          <div className="text-[13px] text-ink-2">{children}</div>
        </div>
        {action}
      </div>
    </li>
  );
}
